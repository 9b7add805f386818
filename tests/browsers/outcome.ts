import * as z from 'zod/mini';

/** What the smoke test came to. */
export const SmokeOutcome = z.object({
  passed: z.number(),
  failed: z.number(),
  failures: z.array(z.string()),
  /** A line for each browser: its version, or what would bring it. */
  notes: z.array(z.string()),
});
