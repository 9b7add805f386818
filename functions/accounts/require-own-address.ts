import { type Account, hasPassword } from '../domain/account-linking.ts';
import { Refusal } from '../runtime/refusal.ts';

/**
 * The account's address. Refuses as `address-from-provider` where a provider opens it: "Amazon Cognito
 * updates mapped attributes when users sign in to your application through an IdP" (WriteAttributes'
 * reference).
 */
export function requireOwnAddress(account: Account | undefined): string {
  const { email, identities = [] } = account ?? {};
  if (!account || !hasPassword(account) || identities.length > 0 || email === undefined) {
    throw new Refusal('address-from-provider');
  }
  return email.toLowerCase();
}
