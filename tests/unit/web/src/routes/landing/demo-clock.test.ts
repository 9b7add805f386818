import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DemoClock, Timeline } from '../../../../../../web/src/routes/landing/demos/demo-clock.ts';

const DURATION = 9_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A demo that is in view from the start of its round. */
function playing(course: 'looping' | 'once' = 'looping') {
  const clock = new DemoClock();
  const timeline = new Timeline(DURATION, course);
  timeline.seek(0);
  clock.run(timeline);
  return { clock, timeline };
}

describe('a demo', () => {
  test('shows its final state until the clock runs it, as the page without script does', () => {
    const timeline = new Timeline(DURATION);
    vi.advanceTimersByTime(5_000);
    expect(timeline.elapsed).toBe(DURATION);
  });

  test('starts over after its end without losing time', () => {
    const { timeline } = playing();
    vi.advanceTimersByTime(DURATION);
    expect(timeline.elapsed).toBe(DURATION);
    vi.advanceTimersByTime(1_000);
    expect(timeline.elapsed).toBe(1_000);
  });

  test('pauses out of view, and resumes at the same position', () => {
    const { clock, timeline } = playing();
    vi.advanceTimersByTime(1_000);
    clock.stop(timeline);
    vi.advanceTimersByTime(60_000);
    expect(timeline.elapsed).toBe(1_000);
    clock.run(timeline);
    vi.advanceTimersByTime(500);
    expect(timeline.elapsed).toBe(1_500);
  });

  test('that plays once stays at its end', () => {
    const { timeline } = playing('once');
    vi.advanceTimersByTime(DURATION * 3);
    expect(timeline.elapsed).toBe(DURATION);
  });

  test('notifies its subscribers at each step until they unsubscribe', () => {
    const { timeline } = playing();
    let calls = 0;
    const leave = timeline.subscribe(() => {
      calls += 1;
    });
    vi.advanceTimersByTime(500);
    expect(calls).toBe(10);
    leave();
    vi.advanceTimersByTime(500);
    expect(calls).toBe(10);
  });
});

describe('a pause', () => {
  test('stops every demo at its position without a timer, and resumes there', () => {
    const { clock, timeline } = playing();
    const other = new Timeline(DURATION);
    other.seek(200);
    clock.run(other);
    vi.advanceTimersByTime(1_000);
    expect(vi.getTimerCount()).toBe(1);
    clock.pause();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(60_000);
    expect([timeline.elapsed, other.elapsed]).toEqual([1_000, 1_200]);
    clock.resume();
    vi.advanceTimersByTime(1_000);
    expect([timeline.elapsed, other.elapsed]).toEqual([2_000, 2_200]);
  });

  test('does not stop a demo that the user has started, which plays to its end', () => {
    const { clock, timeline } = playing();
    clock.pause();
    timeline.playFrom(8_000);
    clock.run(timeline);
    vi.advanceTimersByTime(500);
    expect(timeline.elapsed).toBe(8_500);
    vi.advanceTimersByTime(60_000);
    expect(timeline.elapsed).toBe(DURATION);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a demo that the user controls no longer plays by itself', () => {
  const { timeline } = playing();
  timeline.hold(0);
  vi.advanceTimersByTime(60_000);
  expect(timeline.elapsed).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
