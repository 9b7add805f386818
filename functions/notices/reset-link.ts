import type { AddressChange } from '../../schemas/rows/address-change.ts';
import type { Uses } from '../adapters/adapters.ts';
import { attempt } from '../runtime/attempt.ts';

type Dependencies = Uses<'proofs' | 'siteUrl'>;

/**
 * A link that lets an account's owner choose a password. `disconnects`: it also disconnects this provider's
 * account. `access_token` is the proof and `refresh_token` the user name: no session token is mailed.
 */
export async function resetLink(
  { proofs, siteUrl }: Dependencies,
  { email, username, disconnects }: ResetAccount,
  now: Date,
): Promise<string> {
  const proof = { purpose: 'reset', email, ...(disconnects && { disconnects }) } as const;
  const token = await proofs.create(proof, now);
  return `${siteUrl}/reset-password?access_token=${token}&refresh_token=${encodeURIComponent(username)}`;
}

export interface ResetAccount {
  email: string;
  username: string;
  disconnects?: NonNullable<AddressChange['disconnected']>[number] | undefined;
}

/** A reset link; settings if the account has no password, or the page that asks for one. Never throws. */
export async function recoveryLink(
  dependencies: Dependencies,
  { email, ...account }: Omit<ResetAccount, 'email'> & { email: string | undefined; hasPassword: boolean },
  now: Date,
): Promise<string> {
  const { siteUrl } = dependencies;
  if (!account.hasPassword || email === undefined) return `${siteUrl}/settings`;
  const link = await attempt('link-not-made', {}, () => resetLink(dependencies, { ...account, email }, now));
  return link ?? `${siteUrl}/forgot-password`;
}
