// In UTC, because the user's time zone is unknown. On a 24-hour clock, because ICU puts a narrow no-break
// space before AM and PM, which some mail programs show as a box.
const format = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** `January 20, 2026 at 14:05 UTC` */
export const momentInWords = (moment: Date): string => `${format.format(moment)} UTC`;
