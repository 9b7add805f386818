import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  claimAddress,
  claimProvedAddress,
  holderOf,
  isTaken,
  removalMark,
  removeIfUnconfirmed,
} from '../../../../functions/accounts/address-ownership.ts';
import { triggerRefusals } from '../../../../schemas/trigger-refusals.ts';
import { everyInterleaving } from '../../../fixtures/fakes/every-interleaving.ts';
import { AccountWorld } from '../../../fixtures/fakes/account-world.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

stopClock('2026-01-20T12:00:00Z');
const email = 'ada@example.com';

const log = watchLog();
let world: AccountWorld;
let { pool, addresses, planTable } = new AccountWorld().parts;
const begin = () => {
  world = new AccountWorld();
  ({ pool, addresses, planTable } = world.parts);
};
beforeEach(begin);

test('an address leads to no account that support has confirmed without a proof', async () => {
  pool.put({ username: 'by-support', email, emailVerified: false });
  expect(await holderOf(world.parts, email)).toBeUndefined();
});

test('a code is refused for an account that began while Google signed in', async () => {
  const { signUp, confirmByCode, signInWith } = world.actor();
  const username = await signUp(email);
  const account = await pool.find(username);
  await signInWith('google_1', email);
  // Cognito wrote it after the trigger of the sign-in had looked.
  if (account) pool.put(account);
  await expect(confirmByCode(username)).rejects.toThrow(triggerRefusals.addressProved);
  expect(world.usable).toEqual(['google_1']);
  expect([...planTable.rows.keys()]).toEqual(['google_1']);
  expect(log.of('confirmation-refused')).toHaveLength(1);
});

test('a code is refused while its account is deleted, and the account does not stay', async () => {
  const { signUp, confirmByCode } = world.actor();
  const username = await signUp(email);
  addresses.owners.set(email, removalMark(username));
  await expect(confirmByCode(username)).rejects.toThrow(triggerRefusals.signUpAgain);
  expect(pool.accounts.size).toBe(0);
  expect(planTable.rows.size).toBe(0);
});

test('an account that support confirms without proof gets no address, and takes none', async () => {
  const { signInWith } = world.actor();
  const { username } = pool.put({ username: 'by-support', email, emailVerified: false });
  expect(await signInWith('google_1', email)).toBe('google_1');
  expect(addresses.owners.get(email)).toBe('google_1');
  expect(pool.accounts.has(username)).toBe(true);
});

test('an account is removed as never confirmed only if it is that', async () => {
  const { signUp, confirmByCode } = world.actor();
  const username = await signUp(email);
  await confirmByCode(username);
  expect(await removeIfUnconfirmed(world.parts, username)).toBe(false);
  expect(await removeIfUnconfirmed(world.parts, 'nobody')).toBe(false);
  expect(world.usable).toEqual([username]);
  expect(addresses.owners.get(email)).toBe(username);
});

describe('an address', () => {
  beforeEach(() => {
    pool.put({ username: 'ada', email });
    addresses.owners.set(email, 'ada');
    pool.put({ username: 'eve', email: 'eve@example.com' });
  });

  test('is taken for others than its owner', async () => {
    expect(await isTaken(world.parts, email, 'ada')).toBe(false);
    expect(await isTaken(world.parts, email, 'eve')).toBe(true);
    addresses.owners.clear();
    expect(await isTaken(world.parts, email, 'ada')).toBe(false);
    expect(await isTaken(world.parts, email, 'eve')).toBe(true);
    expect(await isTaken(world.parts, 'free@example.com', 'eve')).toBe(false);
    pool.put({ username: 'google_1', email: 'g@example.com', status: 'EXTERNAL_PROVIDER' });
    addresses.owners.set('g@example.com', 'google_1');
    const ofGoogle = ['google_1', 'eve'].map((name) => isTaken(world.parts, 'g@example.com', name));
    expect(await Promise.all(ofGoogle)).toEqual([false, true]);
    pool.put({ username: 'ada', email, status: 'UNCONFIRMED' });
    expect(await isTaken(world.parts, email, 'eve')).toBe(false);
  });

  test('of an account that waits for its own confirmation is its to claim', async () => {
    pool.put({ username: 'ada', email, status: 'UNCONFIRMED' });
    addresses.owners.clear();
    expect(await claimProvedAddress(world.parts, email, 'ada')).toBe(true);
    expect(pool.accounts.has('ada')).toBe(true);
  });

  test('of an owner that is gone, or has another address, goes to the next', async () => {
    for (const owner of ['gone', 'eve']) {
      addresses.owners.set(email, owner);
      expect(await claimAddress(world.parts, email, 'new')).toEqual({ kind: 'claimed' });
      expect(addresses.owners.get(email)).toBe('new');
    }
  });

  test('is not claimed by an account that is being removed', async () => {
    addresses.owners.set(email, removalMark('eve'));
    expect(await claimAddress(world.parts, email, 'eve')).toEqual({ kind: 'being-removed' });
  });

  test('that others claim at every try is given up after three', async () => {
    addresses.owners.set(email, 'gone');
    const claim = vi.spyOn(addresses, 'claim').mockResolvedValue(false);
    await expect(claimAddress(world.parts, email, 'eve')).rejects.toThrow('at every try');
    expect(claim).toHaveBeenCalledTimes(6);
  });

  test('returns to an owner whose account came back while it was claimed', async () => {
    addresses.owners.set(email, 'google_1');
    vi.spyOn(pool, 'find').mockImplementationOnce(async () => {
      pool.put({ username: 'google_1', email, status: 'EXTERNAL_PROVIDER' });
      return undefined;
    });
    const taken = { kind: 'taken', by: { username: 'google_1' } };
    expect(await claimAddress(world.parts, email, 'eve')).toMatchObject(taken);
    expect(addresses.owners.get(email)).toBe('google_1');
  });

  test('of an account that is confirmed while it is about to be removed stays with it', async () => {
    vi.spyOn(pool, 'find').mockResolvedValueOnce({ ...pool.of('ada'), status: 'UNCONFIRMED' });
    expect(await removeIfUnconfirmed(world.parts, 'ada')).toBe(false);
    expect(pool.accounts.has('ada')).toBe(true);
    expect(addresses.owners.get(email)).toBe('ada');
  });
});

describe('in whatever order their steps are taken', () => {
  type Actor = ReturnType<AccountWorld['actor']>;
  type Action = (actor: Actor, begun: string) => Promise<unknown>;
  const confirms: Action = ({ confirmByCode }, begun) => confirmByCode(begun);
  const google: Action = ({ signInWith }) => signInWith('google_1', email);
  const gitHub: Action = ({ signInWith }) => signInWith('github_2', email);
  const signsUp: Action = ({ signUp }) => signUp(email);
  const sweep = 'the sweep';

  test.each([
    ['a confirmation and a sign-in with Google', [confirms, google]],
    ['a confirmation and a sign-up', [confirms, signsUp]],
    ['a confirmation and the sweep', [confirms, sweep]],
    ['a sign-up and a sign-in with Google', [signsUp, google]],
    ['two sign-ups', [signsUp, signsUp]],
    ['a sign-up and the sweep', [signsUp, sweep]],
    ['sign-ins with Google and GitHub', [google, gitHub]],
    ['a sign-in with Google and the sweep', [google, sweep]],
    ['a confirmation and the return of a deleted Google account', [confirms, google], 'google_1'],
  ] as const)('%s leave one account at most, which owns the address', async (_, actions, leftOver?) => {
    const violations: string[] = [];
    const runs = await everyInterleaving(
      async () => {
        begin();
        const begun = await world.actor().signUp(email);
        // The address of a deleted account, which could not be released.
        if (leftOver !== undefined) addresses.owners.set(email, leftOver);
        return actions.map((action) => async (step) => {
          if (action !== sweep) return action(world.actor(step), begun).catch(() => undefined);
          const stepping = {
            pool: {
              find: async (name: string) => (await step(), pool.find(name)),
              remove: async (name: string) => (await step(), pool.remove(name)),
            },
            addresses: {
              ...addresses,
              claim: async (...parameters: Parameters<typeof addresses.claim>) => (
                await step(),
                addresses.claim(...parameters)
              ),
            },
          };
          return removeIfUnconfirmed(stepping, begun);
        });
      },
      async (order) => {
        const { usable } = world;
        const owner = addresses.owners.get(email);
        if (usable.length > 1) violations.push(`${order}: ${usable.join(' and ')} can sign in`);
        if (usable.some((username) => username !== owner)) violations.push(`${order}: ${owner} is the owner`);
        if (usable.some((id) => !planTable.rows.has(id))) violations.push(`${order}: the account has no row`);
        // The owner gets in with Google, whatever has happened: at the second try if it was linked.
        const { signInWith } = world.actor();
        await signInWith('google_1', email).catch(() => undefined);
        await signInWith('google_1', email);
        if (world.usable.length !== 1) violations.push(`${order}: Google opens no account`);
      },
    );
    expect(violations).toEqual([]);
    expect(runs).toBeGreaterThan(10);
  });
});
