import { longDate } from '../../../plan/long-date.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `2 minutes ago` or `yesterday`, or the day of a moment that is a week past. */
export function ago(moment: string, now: string): string {
  const passed = Date.parse(now) - Date.parse(moment);
  if (passed < MINUTE) return 'just now';
  if (passed >= 7 * DAY) return `on ${longDate(moment)}`;
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  if (passed < HOUR) return words.format(-Math.floor(passed / MINUTE), 'minute');
  if (passed < DAY) return words.format(-Math.floor(passed / HOUR), 'hour');
  return words.format(-Math.floor(passed / DAY), 'day');
}
