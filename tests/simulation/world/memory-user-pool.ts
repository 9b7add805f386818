import type { SessionUser, Profile } from '../../../functions/adapters/cognito/session-user.ts';
import type { Account } from '../../../functions/domain/account-linking.ts';
import { Refusal } from '../../../functions/runtime/refusal.ts';

/** A user pool in memory. An access token is the user's id. */
export class MemoryUserPool implements SessionUser {
  readonly #emails = new Map<string, string>();

  signUp(id: string, email: string): void {
    this.#emails.set(id, email);
  }

  has(id: string): boolean {
    return this.#emails.has(id);
  }

  addressOf(id: string): string | undefined {
    return this.#emails.get(id);
  }

  async profile(accessToken: string): Promise<Profile> {
    const email = this.#emails.get(accessToken);
    if (email === undefined) throw new Refusal('not-signed-in');
    return {
      username: accessToken,
      email,
      emailVerified: true,
      name: 'Ada Lovelace',
      providers: [],
      hasPassword: true,
    };
  }

  async changePassword(): Promise<void> {
    throw new Error('The simulation has no action that changes a password.');
  }

  async endSessions(): Promise<void> {
    throw new Error('The simulation has no action that ends sessions.');
  }

  /** Every account is enabled: no history changes an address, so no deletion waits. */
  async findBySub(id: string): Promise<Account | undefined> {
    const email = this.#emails.get(id);
    return email === undefined
      ? undefined
      : {
          sub: id,
          username: id,
          status: 'CONFIRMED',
          enabled: true,
          email,
          emailVerified: true,
          createdAt: new Date(0),
          identities: [],
        };
  }

  async disable(): Promise<void> {
    throw new Error('The simulation has no deletion that waits.');
  }

  async remove(id: string): Promise<boolean> {
    return this.#emails.delete(id);
  }
}
