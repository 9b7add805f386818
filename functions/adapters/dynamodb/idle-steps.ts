import * as z from 'zod/mini';
import { ex, read, update } from './client.ts';

/** A step that the owner of an idle account notices. */
export type CountedStep = 'warn' | 'delete';

/** The days that a counter is kept, for a comparison with the week before. */
const KEPT = 9;
const DAY = 86_400;
const DATE = '2030-01-15'.length;

const keyOf = (step: CountedStep, day: Date) => ({ id: `idle-${step}/${day.toISOString().slice(0, DATE)}` });

/** The steps of idle accounts by day (UTC), counted in the table Limits before they are taken. */
export const idleSteps = (table: string) => ({
  /** Counts one more. False, and counts nothing, if the day's limit is reached. */
  take: (step: CountedStep, limit: number, now: Date) =>
    update(
      table,
      keyOf(step, now),
      ex`ADD taken ${1} SET expires_at = ${Math.floor(now.getTime() / 1000) + KEPT * DAY}`,
      ex`attribute_not_exists(taken) OR taken < ${limit}`,
    ),

  /** The number of steps that were counted on a day of the last week. */
  async on(step: CountedStep, day: Date) {
    const item = await read(table, keyOf(step, day), z.object({ taken: z.number() }));
    return item?.taken ?? 0;
  },
});
export type IdleSteps = ReturnType<typeof idleSteps>;
