import type { ProviderKey } from '../../../schemas/product/providers.ts';
import { call } from '../api/call.ts';
import { endSession } from '../session/session-lifecycle.ts';
import { currentSession } from '../session/session.ts';
import { WENT_WRONG } from './auth-sentence.ts';
import { type Refused, refused, refusedCall } from './outcome.ts';
import { confirmPassword } from './password.ts';
import { signInWithProvider } from './provider-sign-in.ts';
import { signingInAfter } from './sign-in-after.ts';

/** `sessionsEnded`: whether all other sessions have ended. */
type ProviderChange = { kind: 'done'; sessionsEnded: boolean } | Refused;

/**
 * Disconnects a provider, and signs in again with the password: every session ends. A user without one has to
 * sign in with another provider.
 */
export async function disconnectProvider(provider: ProviderKey, password: string): Promise<ProviderChange> {
  const confirmed = await confirmOwner(password);
  if (confirmed.kind === 'refused') return confirmed;
  const { user } = confirmed;
  const { call: callAndSignIn, isSignedIn } = signingInAfter(user, password);
  const send = user.hasPassword ? callAndSignIn : call;
  const answer = await send('change-provider', { body: { provider, connected: false } });
  if (!answer.ok) return refusedCall(answer);
  const { sessionsEnded } = answer.value;
  if (sessionsEnded && !isSignedIn()) endSession('signed-out-everywhere');
  return { kind: 'done', sessionsEnded };
}

/** Lets a provider be connected, and goes there. Resolves only with a refusal. */
export async function connectProvider(provider: ProviderKey, password: string): Promise<ProviderChange> {
  const confirmed = await confirmOwner(password);
  if (confirmed.kind === 'refused') return confirmed;
  const answer = await call('change-provider', { body: { provider, connected: true } });
  if (!answer.ok) return refusedCall(answer);
  return signInWithProvider(provider, '/settings');
}

/** The user, signed in again if there is a password. */
async function confirmOwner(password: string) {
  const session = currentSession();
  if (session.kind !== 'signed-in') return refused(WENT_WRONG);
  const { user } = session;
  const outcome = user.hasPassword ? await confirmPassword(password) : ({ kind: 'done' } as const);
  return outcome.kind === 'refused' ? outcome : { kind: 'confirmed' as const, user };
}
