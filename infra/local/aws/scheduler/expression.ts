import { StartFailure } from '../../base/start-failure.ts';

/** The moments when a schedule fires, in UTC. */
export interface ScheduleExpression {
  /**
   * The first moment later than `after`. Undefined if there is none. `since`: when the schedule was created.
   */
  next(after: Date, since: Date): Date | undefined;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const units: Record<string, number> = { minute: MINUTE, hour: 60 * MINUTE, day: DAY };
// In days. A February 29 on a given weekday recurs within forty years.
const FARTHEST = 41 * 366;

/** Reads `rate(1 hour)`, `cron(0 6 * * ? *)` and `at(2026-11-21T06:00:00)` as EventBridge Scheduler does. */
export function scheduleExpression(expression: string): ScheduleExpression {
  const [, kind, inner = ''] = /^(rate|cron|at)\((.+)\)$/.exec(expression.trim()) ?? [];
  switch (kind) {
    case 'rate':
      return rate(inner, expression);
    case 'cron':
      return cron(inner, expression);
    case 'at': {
      const moment = new Date(`${inner}Z`);
      if (Number.isNaN(moment.getTime())) throw unreadable(expression);
      return { next: (after) => (moment > after ? moment : undefined) };
    }
    default:
      throw unreadable(expression);
  }
}

function unreadable(expression: string): StartFailure {
  return new StartFailure(`The schedule expression ${expression} can't be read.`);
}

function rate(inner: string, expression: string): ScheduleExpression {
  const [, count, unit = ''] = /^(\d+) (minute|hour|day)s?$/.exec(inner) ?? [];
  const period = Number(count) * (units[unit] ?? 0);
  if (!(period > 0)) throw unreadable(expression);
  return {
    next(after, since) {
      const passed = Math.floor((after.getTime() - since.getTime()) / period);
      return new Date(since.getTime() + (Math.max(passed, 0) + 1) * period);
    },
  };
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

function cron(inner: string, expression: string): ScheduleExpression {
  const fields = inner.trim().split(/\s+/);
  if (fields.length !== 6) throw unreadable(expression);
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = '', year = ''] = fields;
  // Exactly one of the two day fields is `?`.
  if ((dayOfMonth === '?') === (dayOfWeek === '?')) throw unreadable(expression);
  const range = (text: string, low: number, high: number, names: string[] = []) =>
    fieldValues(text, { low, high, names, expression });
  const minutes = range(minute, 0, 59);
  const hours = range(hour, 0, 23);
  const months = new Set(range(month, 1, 12, MONTHS));
  const years = new Set(range(year, 1970, 2199));
  const lastDay = dayOfMonth === 'L';
  const days = new Set(lastDay || dayOfMonth === '?' ? [] : range(dayOfMonth, 1, 31));
  const weekdays = new Set(dayOfWeek === '?' ? [] : range(dayOfWeek, 1, 7, WEEKDAYS));

  const isOn = (day: Date): boolean => {
    if (!months.has(day.getUTCMonth() + 1) || !years.has(day.getUTCFullYear())) return false;
    if (dayOfMonth === '?') return weekdays.has(day.getUTCDay() + 1);
    if (lastDay) return new Date(day.getTime() + DAY).getUTCDate() === 1;
    return days.has(day.getUTCDate());
  };

  return {
    next(after) {
      const midnight = Math.floor(after.getTime() / DAY) * DAY;
      for (let ahead = 0; ahead < FARTHEST; ahead += 1) {
        const day = new Date(midnight + ahead * DAY);
        if (!isOn(day)) continue;
        for (const h of hours) {
          for (const m of minutes) {
            const moment = new Date(day.getTime() + (h * 60 + m) * MINUTE);
            if (moment > after) return moment;
          }
        }
      }
      return undefined;
    },
  };
}

/** Every value in a cron field, in order. */
function fieldValues(
  text: string,
  { low, high, names, expression }: { low: number; high: number; names: string[]; expression: string },
): number[] {
  const valueOf = (word: string): number => {
    const named = names.indexOf(word.toUpperCase());
    const value = named >= 0 ? named + 1 : /^\d+$/.test(word) ? Number(word) : Number.NaN;
    if (!(value >= low && value <= high)) throw unreadable(expression);
    return value;
  };
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [span = '', step = '1'] = part.split('/');
    if (!/^[1-9]\d*$/.test(step)) throw unreadable(expression);
    const [from = '', to] = span.split('-');
    const start = span === '*' ? low : valueOf(from);
    // `5/15` means 5, 20, 35, 50; `5` means only 5.
    const end = span === '*' || (to === undefined && part.includes('/')) ? high : valueOf(to ?? from);
    if (end < start) throw unreadable(expression);
    for (let value = start; value <= end; value += Number(step)) values.add(value);
  }
  return [...values].toSorted((a, b) => a - b);
}
