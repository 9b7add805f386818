import type { Accounts } from '../adapters/cognito/session-user.ts';
import type { User } from './route.ts';

/**
 * Refuses as `not-signed-in` where the session was ended, or the account deleted, since the token was issued. The authorizer
 * reads signatures and dates only: by it a thief who was signed out could go on for what is left of the token's fifteen minutes.
 */
export async function stillSignedIn(accounts: Pick<Accounts, 'emailOf'>, user: User): Promise<void> {
  await accounts.emailOf(user.accessToken);
}
