const PATTERN =
  /^P(?!$)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/;

// The clock never moves back, so a typing error must not move it far.
const FARTHEST_YEARS = 100;

/**
 * The moment that is an ISO 8601 duration after `start`, by the calendar in UTC: a month after January 31 is
 * the last day of February, as in Stripe's billing. Undefined if unreadable or too long.
 */
export function after(start: Date, duration: string): Date | undefined {
  const match = PATTERN.exec(duration);
  if (!match) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const monthStart = new Date(start);
  monthStart.setUTCDate(1);
  monthStart.setUTCMonth(start.getUTCMonth() + months + years * 12);
  if (Number.isNaN(monthStart.getTime())) return undefined;
  const lastDay = new Date(
    Date.UTC(monthStart.getUTCFullYear(), monthStart.getUTCMonth() + 1, 0),
  ).getUTCDate();
  monthStart.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  const end = new Date(
    monthStart.getTime() + ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000,
  );
  const tooFar =
    Number.isNaN(end.getTime()) || end.getUTCFullYear() - start.getUTCFullYear() > FARTHEST_YEARS;
  return tooFar ? undefined : end;
}
