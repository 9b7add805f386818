import { expect, test } from 'vitest';
import { inCpuTime, type TraceEvent } from '../../benchmarks/site/cpu-time.ts';

const event = (name: string, ts: number, more: Partial<TraceEvent> = {}): TraceEvent => ({
  name,
  ph: 'X',
  pid: 1,
  tid: 1,
  ts,
  ...more,
});

test('a task that waited for a core is shortened to its time on it, with what happened inside', () => {
  const task = event('RunTask', 100, { dur: 40, tdur: 10 });
  const layout = event('Layout', 120, { dur: 8 });
  expect(inCpuTime([task, layout])).toEqual([
    { ...task, dur: 10 },
    { ...layout, ts: 105, dur: 2 },
  ]);
});

test('paints, other threads and what happens between tasks keep their times', () => {
  const task = event('RunTask', 100, { dur: 40, tdur: 10 });
  const others = [
    event('largestContentfulPaint::Candidate', 130, { ph: 'I' }),
    event('Layout', 120, { dur: 8, tid: 2 }),
    event('ResourceFinish', 141, { ph: 'I' }),
  ];
  expect(inCpuTime([task, ...others]).slice(1)).toEqual(others);
});
