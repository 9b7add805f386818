import type Stripe from 'stripe';

const DAY = 86_400;

type Interval = Pick<Stripe.Price.Recurring, 'interval' | 'interval_count'>;

/** The end of the period after `end`, in Unix seconds, from the anchor: January 31, February 28, March 31. */
export function nextPeriodEnd(anchor: number, interval: Interval, end: number): number {
  let count = 1;
  while (afterIntervals(anchor, interval, count) <= end) count += 1;
  return afterIntervals(anchor, interval, count);
}

function afterIntervals(
  anchor: number,
  { interval, interval_count: every }: Interval,
  count: number,
): number {
  switch (interval) {
    case 'day':
      return anchor + count * every * DAY;
    case 'week':
      return anchor + count * every * 7 * DAY;
    case 'month':
      return afterMonths(anchor, count * every);
    case 'year':
      return afterMonths(anchor, count * every * 12);
    default:
      throw new Error(`There is no interval ${interval}.`);
  }
}

/** The same day and time some months later, or that month's last day. In UTC. */
export function afterMonths(anchor: number, months: number): number {
  const start = new Date(anchor * 1000);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const date = Date.UTC(
    year,
    month,
    Math.min(start.getUTCDate(), lastDay),
    start.getUTCHours(),
    start.getUTCMinutes(),
    start.getUTCSeconds(),
  );
  return date / 1000;
}
