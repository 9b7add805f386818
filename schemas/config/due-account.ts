import * as z from 'zod/mini';

/** A message of the queue of due accounts. `limit`: the warnings, and the deletions, that a day may have. */
export const DueAccount = z.discriminatedUnion('task', [
  z.strictObject({ task: z.literal('expiry'), user: z.string() }),
  z.strictObject({ task: z.literal('idle'), user: z.string(), limit: z.number() }),
]);
export type DueAccount = z.infer<typeof DueAccount>;
