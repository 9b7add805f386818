import * as z from 'zod/mini';
import { type RefusalCode, refusals } from '../refusal.ts';

/**
 * A check whose failure has its own refusal. `faultOf` returns the code, or null for a valid value. Any other
 * failure of a request's schema is refused as `bad-request`.
 */
export const refusedAs = <T>(faultOf: (value: T) => RefusalCode | null): z.core.$ZodCheck<T> =>
  z.check<T>((payload) => {
    const refusal = faultOf(payload.value);
    if (refusal) payload.issues.push({ code: 'custom', input: payload.value, params: { refusal } });
  });

/** The refusal that a schema's issues stand for. */
export function refusalOf(issues: readonly z.core.$ZodIssue[]): RefusalCode {
  for (const issue of issues) {
    const refusal: unknown = issue.code === 'custom' ? issue.params?.['refusal'] : undefined;
    if (typeof refusal === 'string' && Object.hasOwn(refusals, refusal)) return refusal as RefusalCode;
  }
  return 'bad-request';
}
