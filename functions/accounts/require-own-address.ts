import { type Account, hasPassword } from '../domain/account-linking.ts';
import { Refusal } from '../runtime/refusal.ts';

/**
 * Returns the account's address. Refuses as `address-from-provider` for an account that a provider created or
 * is linked to: at each sign-in, Cognito writes the provider's address over the account's ("Amazon Cognito
 * updates mapped attributes when users sign in to your application through an IdP", reference of
 * WriteAttributes).
 */
export function requireOwnAddress(account: Account | undefined): string {
  const { email, identities = [] } = account ?? {};
  if (!account || !hasPassword(account) || identities.length > 0 || email === undefined) {
    throw new Refusal('address-from-provider');
  }
  return email.toLowerCase();
}
