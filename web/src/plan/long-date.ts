/** A date in words: `December 31, 2025`, by default in the reader's time zone. */
export function longDate(date: string | Date, timeZone?: string): string {
  return new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    ...(timeZone !== undefined && { timeZone }),
  }).format(new Date(date));
}
