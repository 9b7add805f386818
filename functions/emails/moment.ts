const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** `January 20, 2026`. In UTC, like `momentInWords`. */
export const dayInWords = (moment: Date): string =>
  `${months[moment.getUTCMonth()]} ${moment.getUTCDate()}, ${moment.getUTCFullYear()}`;

/** `January 20, 2026 at 14:05 UTC`. Not made with `Intl`, whose first use adds a fifth to a cold start. */
export const momentInWords = (moment: Date): string =>
  `${dayInWords(moment)} at ${moment.toISOString().slice(11, 16)} UTC`;
