import * as z from 'zod/mini';
import { type CodeFlowClient, completeCodeFlow, FlowSecrets, type Tokens } from '../oauth/code-flow.ts';
import { providerFaultIn } from '../../../schemas/product/provider-faults.ts';
import { type ProviderKey, providerKeys, providers } from '../../../schemas/product/providers.ts';
import { WENT_WRONG } from './auth-sentence.ts';
import { type Refused, refused } from './outcome.ts';
import type { ProviderCallback } from '../session/provider-callback.ts';

/** A provider sign-in, stored in the tab as a query until Cognito redirects back. */
export const StoredSignIn = z.extend(FlowSecrets, {
  provider: z.enum(providerKeys),
  /** The path of this site to open after the sign-in. */
  path: z.string(),
  /** The page that began the sign-in, and that a canceled sign-in returns to. */
  begunAt: z.enum(['/login', '/signup']),
  /** Whether this is the second try, after the first try linked two accounts. */
  again: z.enum(['yes', 'no']),
});
export type StoredSignIn = z.infer<typeof StoredSignIn>;

/** The request of a sign-in, without the secrets of its flow. */
export type ProviderSignIn = Omit<StoredSignIn, keyof FlowSecrets>;

type Answer =
  | { kind: 'tokens'; tokens: Tokens; provider: ProviderKey }
  /** The same sign-in must be repeated. */
  | { kind: 'retry'; signIn: ProviderSignIn }
  /** The user canceled at the provider. */
  | { kind: 'cancelled' }
  | Refused;

export const FOREIGN_ANSWER =
  'This sign-in was not started here, or is already finished. Please start it again, and finish it in the same tab.';

/** Exchanges a provider's answer for tokens. Trusts no answer whose state this tab didn't send. */
export async function answerOf(
  { query, stored }: ProviderCallback,
  client: () => Promise<CodeFlowClient>,
): Promise<Answer> {
  const fault = providerFaultIn(query.get('fault'));
  if (fault) {
    const what =
      fault.reason === 'expired' ? 'took too long, or was begun again in another window' : 'failed';
    return refused(
      `The sign-in with ${providers[fault.provider].name} ${what}. Please start it again, or sign in another way.`,
    );
  }
  const { data: signIn } = StoredSignIn.safeParse(Object.fromEntries(stored));
  if (!signIn) return refused(FOREIGN_ANSWER);
  const result = await completeCodeFlow(await client(), query, signIn);
  switch (result.kind) {
    case 'tokens':
      return { ...result, provider: signIn.provider };
    case 'cancelled':
      return result;
    case 'account-linked': {
      const { provider, path, begunAt, again } = signIn;
      return again === 'no'
        ? { kind: 'retry', signIn: { provider, path, begunAt, again: 'yes' } }
        : refused(WENT_WRONG);
    }
    case 'foreign-answer':
      return refused(FOREIGN_ANSWER);
    case 'refused':
      return refused(result.message || WENT_WRONG);
    default:
      return refused(WENT_WRONG);
  }
}
