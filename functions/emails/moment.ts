// Nobody's time zone is known here. Twenty-four hours, because ICU sets a narrow no-break space before AM and PM, which
// some mail programs show as a box.
const words = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** A moment as a mail names it: January 20, 2026 at 14:05 UTC. */
export const momentInWords = (moment: Date): string => `${words.format(moment)} UTC`;
