/** `December 31, 2025`. By the reader's own time zone, unless one is given. */
export function longDate(date: string | Date, timeZone?: string): string {
  return new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    ...(timeZone !== undefined && { timeZone }),
  }).format(new Date(date));
}
