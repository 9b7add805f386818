import { type ProviderKey, providerInUserName } from '../../schemas/product/providers.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';

export interface Profile {
  /** In lower case; undefined if the pool has none. */
  email: string | undefined;
  emailVerified: boolean;
  name: string | undefined;
  providers: ProviderKey[];
  /** False for an account created by a sign-in with a provider. */
  hasPassword: boolean;
}

/** The verified address, in lower case; undefined without one. */
export const verifiedEmailOf = ({
  email,
  emailVerified,
}: Pick<Profile, 'email' | 'emailVerified'>): string | undefined => (emailVerified ? email : undefined);

/** The address that the user has proved, and the provider that made the account, if one did. */
export type KnownAccount = Pick<UserPlan, 'address' | 'made_by'>;

export function knownAccount({
  username,
  ...profile
}: Pick<Profile, 'email' | 'emailVerified'> & { username: string }): KnownAccount {
  const address = verifiedEmailOf(profile);
  const madeBy = providerInUserName(username);
  return { ...(address !== undefined && { address }), ...(madeBy && { made_by: madeBy }) };
}
