/** An event of a Chromium trace. Times are in microseconds; `tdur` is the thread's time on the CPU. */
export interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
}

const TASK = /^(ThreadControllerImpl::)?RunTask$/;
/** Events with their own time: paints are recorded when they are on the screen. */
const OTHER_TIMES = /^(first|largest|navigation)/;

/**
 * Shortens each task of a trace to its time on the CPU, and what happened in it in proportion. Lighthouse's
 * simulation multiplies the duration of tasks by up to four, and on a busy machine most of that is waiting
 * for a core.
 */
export function inCpuTime<E extends TraceEvent>(events: readonly E[]): E[] {
  const ends = new Map<string, number>();
  const tasks = new Map<string, E>();
  const scaled = new Map<E, E>();
  for (const event of events.toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))) {
    const thread = `${event.pid} ${event.tid}`;
    const isInTask = event.ts < (ends.get(thread) ?? -Infinity);
    if (!isInTask) {
      if (!TASK.test(event.name) || !event.dur || event.tdur === undefined) continue;
      tasks.set(thread, event);
      ends.set(thread, event.ts + event.dur);
    }
    const task = tasks.get(thread);
    if (!task?.dur || !'XIBE'.includes(event.ph) || OTHER_TIMES.test(event.name)) continue;
    const share = Math.min(1, (task.tdur ?? task.dur) / task.dur);
    scaled.set(event, {
      ...event,
      ts: Math.round(task.ts + (event.ts - task.ts) * share),
      ...(event.dur !== undefined && { dur: Math.round(event.dur * share) }),
    });
  }
  return events.map((event) => scaled.get(event) ?? event);
}
