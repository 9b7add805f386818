import { planDay } from '../plan/plan-day.ts';

/** The day of an ISO 8601 timestamp. */
export const Day = ({ moment }: { moment: string }) => <time dateTime={moment}>{planDay(moment)}</time>;
