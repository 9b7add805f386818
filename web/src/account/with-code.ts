import { within } from '../session/within.ts';
import type { Refused } from './outcome.ts';

// Milliseconds.
const LIMIT = 30_000;

const NOT_LOADED =
  "We couldn't load what this form needs. Please check your connection and try again, or reload this page.";

/** The routes that need no session. */
export const anonymousCode = () => import('../api/call-anonymously.ts');

/** Does `work` with code that is loaded on demand. Refuses if it can't be loaded. */
export async function withCode<Code, T>(
  load: () => Promise<Code>,
  work: (code: Code) => Promise<T>,
): Promise<T | Refused> {
  let code: Code;
  try {
    code = await within(LIMIT, load());
  } catch {
    return { kind: 'refused', message: NOT_LOADED };
  }
  return work(code);
}
