import * as z from 'zod/mini';

/** The result of the smoke test. */
export const SmokeOutcome = z.object({
  passed: z.number(),
  failed: z.number(),
  failures: z.array(z.string()),
  /** A line for each browser: its version, or how to install it. */
  notes: z.array(z.string()),
});
