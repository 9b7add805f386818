import { StartFailure } from '../../base/start-failure.ts';

/** The moments when a schedule fires, in UTC. */
export interface ScheduleExpression {
  /** The first moment later than `after`. `since`: when the schedule was created. */
  next(after: Date, since: Date): Date;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const units: Record<string, number> = { minute: MINUTE, hour: HOUR, day: DAY };

/** Reads `rate(1 hour)`, `cron(15 * * * ? *)` and `cron(20 9 * * ? *)`: each hour and each day. */
export function scheduleExpression(expression: string): ScheduleExpression {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const period = Number(count) * (units[unit] ?? 0);
  if (period > 0) return { next: (after, since) => firstAfter(after, since.getTime(), period) };
  const [, minute, hour = '*'] = /^cron\((\d{1,2}) (\d{1,2}|\*) \* \* \? \*\)$/.exec(expression) ?? [];
  if (!(Number(minute) < 60) || (hour !== '*' && Number(hour) > 23)) {
    throw new StartFailure(`The schedule expression ${expression} can't be read.`);
  }
  const offset = Number(minute) * MINUTE + (hour === '*' ? 0 : Number(hour) * HOUR);
  return { next: (after) => firstAfter(after, offset, hour === '*' ? HOUR : DAY) };
}

/** The first moment later than `after` that is whole periods away from `start`, in epoch milliseconds. */
const firstAfter = (after: Date, start: number, period: number): Date =>
  new Date(start + (Math.max(Math.floor((after.getTime() - start) / period), 0) + 1) * period);
