import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DemoClock, Timeline } from '../../../web/src/routes/landing/demos/demo-clock.ts';

const DURATION = 9_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A demo that is in sight from the beginning of its round. */
function playing(course: 'looping' | 'once' = 'looping') {
  const clock = new DemoClock();
  const timeline = new Timeline(DURATION, course);
  timeline.seek(0);
  clock.run(timeline);
  return { clock, timeline };
}

describe('a demo', () => {
  test('shows its end until the clock runs it, as the page without script does', () => {
    const timeline = new Timeline(DURATION);
    vi.advanceTimersByTime(5_000);
    expect(timeline.elapsed).toBe(DURATION);
  });

  test('keeps time with the clock while it is in sight', () => {
    const { timeline } = playing();
    vi.advanceTimersByTime(2_950);
    expect(timeline.elapsed).toBe(2_950);
  });

  test('begins anew after its end, and loses no time on the way', () => {
    const { timeline } = playing();
    vi.advanceTimersByTime(DURATION);
    expect(timeline.elapsed).toBe(DURATION);
    vi.advanceTimersByTime(1_000);
    expect(timeline.elapsed).toBe(1_000);
  });

  test('stands still out of sight, and goes on where it was', () => {
    const { clock, timeline } = playing();
    vi.advanceTimersByTime(1_000);
    clock.stop(timeline);
    vi.advanceTimersByTime(60_000);
    expect(timeline.elapsed).toBe(1_000);
    clock.run(timeline);
    vi.advanceTimersByTime(500);
    expect(timeline.elapsed).toBe(1_500);
  });

  test('that is played once stays at its end', () => {
    const { timeline } = playing('once');
    vi.advanceTimersByTime(DURATION * 3);
    expect(timeline.elapsed).toBe(DURATION);
  });

  test('tells whoever listens at each step, until they stop', () => {
    const { timeline } = playing();
    let told = 0;
    const leave = timeline.subscribe(() => {
      told += 1;
    });
    vi.advanceTimersByTime(500);
    expect(told).toBe(10);
    leave();
    vi.advanceTimersByTime(500);
    expect(told).toBe(10);
  });
});

describe('a pause', () => {
  test('stops every demo where it is, and ends where it began', () => {
    const { clock, timeline } = playing();
    const other = new Timeline(DURATION);
    other.seek(200);
    clock.run(other);
    vi.advanceTimersByTime(1_000);
    clock.pause();
    vi.advanceTimersByTime(60_000);
    expect([timeline.elapsed, other.elapsed]).toEqual([1_000, 1_200]);
    clock.resume();
    vi.advanceTimersByTime(1_000);
    expect([timeline.elapsed, other.elapsed]).toEqual([2_000, 2_200]);
  });

  test('leaves no timer behind', () => {
    const { clock } = playing();
    expect(vi.getTimerCount()).toBe(1);
    clock.pause();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('does not concern what somebody asked for, which plays to its end', () => {
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

test('a demo that a person has taken over is moved by nothing else', () => {
  const { timeline } = playing();
  timeline.hold(0);
  vi.advanceTimersByTime(60_000);
  expect(timeline.elapsed).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
