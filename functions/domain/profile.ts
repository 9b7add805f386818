import { type ProviderKey, providerInUserName } from '../../schemas/product/providers.ts';
import type { UserPlan } from '../../schemas/rows/plan.ts';

export interface Profile {
  /** The `sub` of an account with a password, `google_1234` for an account created by a provider. */
  username: string;
  /** In lower case; undefined if the pool has none. */
  email: string | undefined;
  emailVerified: boolean;
  name: string | undefined;
  providers: ProviderKey[];
  /** False for an account created by a sign-in with a provider. */
  hasPassword: boolean;
}

/** The verified address, in lower case; undefined without one. */
export const verifiedEmailOf = ({ email, emailVerified }: Profile): string | undefined =>
  emailVerified ? email : undefined;

/** The part of a profile that a user's row has too. */
export function knownAccount(profile: Profile): Pick<UserPlan, 'address' | 'made_by'> {
  const address = verifiedEmailOf(profile);
  const madeBy = providerInUserName(profile.username);
  return { ...(address !== undefined && { address }), ...(madeBy && { made_by: madeBy }) };
}
