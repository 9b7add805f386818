import { longDate } from './long-date.ts';

/**
 * The day of a plan, a charge or an invoice: `December 31, 2025`. In UTC for every reader, as in mails: a
 * complimentary plan ends with the last moment of a month in UTC, when it is already the next day in Tokyo.
 */
export const planDay = (moment: string | Date): string => longDate(moment, 'UTC');
