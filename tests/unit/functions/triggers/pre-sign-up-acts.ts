import type { PreSignUpTriggerEvent } from 'aws-lambda';
import { beforeEach, type MockInstance, vi } from 'vitest';
import type { Account, Identity } from '../../../../functions/domain/account-linking.ts';
import { handlePreSignUp } from '../../../../functions/triggers/pre-sign-up.ts';
import { accountParts } from '../../../fixtures/fakes/account-parts.ts';
import type { MemoryPool } from '../../../fixtures/fakes/memory-pool.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

export const native: Account = {
  sub: '0b1f6f0e-0000-4000-8000-000000000001',
  username: '0b1f6f0e-0000-4000-8000-000000000001',
  status: 'CONFIRMED',
  enabled: true,
  email: 'ada@example.com',
  emailVerified: true,
  createdAt: new Date('2026-01-02'),
  identities: [],
};
export const byGoogle: Account = {
  ...native,
  sub: '0b1f6f0e-0000-4000-8000-000000000099',
  username: 'google_99',
  status: 'EXTERNAL_PROVIDER',
  identities: [{ provider: 'google', id: '99' }],
};
export const unconfirmed: Account = { ...native, status: 'UNCONFIRMED', emailVerified: false };

let parts = accountParts();
export let { pool, addresses, limits, mail } = parts;
export let find: MockInstance<MemoryPool['find']>;
export let links: { identity: Identity; to: string }[];
/** Begins each test with nobody in the pool, at a stopped clock. Returns what is logged. */
export function beginWithNobody() {
  stopClock('2026-01-20T23:05:00Z');
  const log = watchLog();
  beforeEach(() => {
    parts = accountParts();
    ({ pool, addresses, limits, mail } = parts);
    links = [];
    find = vi.spyOn(pool, 'find');
    const link = pool.link.bind(pool);
    vi.spyOn(pool, 'link').mockImplementation((identity, to) => {
      links.push({ identity, to: to.username });
      return link(identity, to);
    });
  });
  return log;
}

/** Puts accounts into the pool, of which confirmed ones and providers' ones have proved their address. */
export const given = (...accounts: Account[]): void => {
  for (const account of accounts) {
    pool.put(account);
    const { email, emailVerified, username } = account;
    if (email && emailVerified) addresses.owners.set(email.toLowerCase(), username);
  }
};
export const ownerOfAddress = () => addresses.owners.get('ada@example.com');

export const dependencies = () => ({ ...parts, users: () => pool, sendsThroughSes: true });
export const trigger = (received: PreSignUpTriggerEvent) => handlePreSignUp(dependencies())(received);

export const event = (
  source: 'SignUp' | 'ExternalProvider' | 'AdminCreateUser',
  userName: string,
  userAttributes: Record<string, string>,
) =>
  ({
    version: '1',
    region: 'us-east-1',
    userPoolId: 'us-east-1_Pool',
    userName,
    callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: 'client' },
    triggerSource: `PreSignUp_${source}`,
    request: { userAttributes },
    response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
  }) satisfies PreSignUpTriggerEvent;

export const verified = { email: 'ada@example.com', email_verified: 'true' };
export const signIn = (userName = 'github_4711', attributes: Record<string, string> = verified) =>
  trigger(event('ExternalProvider', userName, attributes));
