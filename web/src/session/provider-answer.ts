import * as z from 'zod/mini';
import { plainMessage, WENT_WRONG } from './provider-message.ts';
import type { ProviderReturn } from './provider-return.ts';

/** A sign-in that was sent to a provider, as it is kept until the answer comes. */
export const Begun = z.object({
  provider: z.enum(['Google', 'GitHub']),
  /** Where to go on to afterwards. */
  path: z.string(),
  state: z.string(),
  /** Proves to Cognito that whoever brings the code is who asked for it (RFC 7636). */
  verifier: z.string(),
  /** Whether it is the second time, after the first only joined two accounts. */
  again: z.enum(['yes', 'no']),
});
export type Begun = z.infer<typeof Begun>;

type Answered =
  | { kind: 'code'; code: string; verifier: string }
  /** To be sent to the same provider once more. */
  | { kind: 'again'; begun: Pick<Begun, 'provider' | 'path' | 'again'> }
  | { kind: 'refused'; message: string };

export const NOT_BEGUN_HERE =
  'This sign-in was not begun here, or has been answered before. Please try again.';
export const CANCELLED = 'The sign-in was cancelled.';

/** Whether the person has turned back at the provider. A provider that refuses them says more than the bare code. */
export const isCancelled = (error: string | null, description: string): boolean =>
  error === 'access_denied' || /^(\w+ Error - \d{3} )?access_denied\s*$/.test(description);

// Cognito fails the very sign-in during which our trigger joins a provider's identity to an account; the next one works.
export const JUST_JOINED = /already found an entry for username/i;

/**
 * What an answer comes to. Nothing in it is believed, its message least of all, unless it carries the state that this tab
 * has sent: anybody can make a link to the address that answers come to.
 */
export function answered({ answer, begun }: ProviderReturn): Answered {
  const { data } = Begun.safeParse(Object.fromEntries(begun));
  if (!data || answer.get('state') !== data.state) return { kind: 'refused', message: NOT_BEGUN_HERE };
  const error = answer.get('error');
  const code = answer.get('code');
  if (error === null && code) return { kind: 'code', code, verifier: data.verifier };

  const description = answer.get('error_description') ?? '';
  if (JUST_JOINED.test(description)) {
    return data.again === 'no'
      ? { kind: 'again', begun: { provider: data.provider, path: data.path, again: 'yes' } }
      : { kind: 'refused', message: WENT_WRONG };
  }
  if (isCancelled(error, description)) return { kind: 'refused', message: CANCELLED };
  return { kind: 'refused', message: plainMessage(description) || WENT_WRONG };
}
