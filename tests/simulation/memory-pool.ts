import type { Accounts, Profile } from '../../functions/adapters/cognito/session-user.ts';
import { Refusal } from '../../functions/runtime/refusal.ts';

/** A pool of many people; whose token it is, it says. */
export class MemoryPool implements Accounts {
  readonly #people = new Map<string, string>();

  signUp(id: string, email: string): void {
    this.#people.set(id, email);
  }

  has(id: string): boolean {
    return this.#people.has(id);
  }

  async emailOf(accessToken: string): Promise<string | undefined> {
    return (await this.profileOf(accessToken)).email;
  }

  async profileOf(accessToken: string): Promise<Profile> {
    const email = this.#people.get(accessToken);
    if (email === undefined) throw new Refusal('not-signed-in');
    return { email, emailVerified: true, name: 'Ada Lovelace', providers: [], hasPassword: true };
  }

  async changePassword(): Promise<void> {
    throw new Error('Nobody here changes a password.');
  }

  async endSessions(): Promise<void> {
    throw new Error('Nobody here ends sessions.');
  }

  async deleteUser(accessToken: string): Promise<void> {
    this.#people.delete(accessToken);
  }
}
