import { expect, test, vi } from 'vitest';
import { followProviderAddress } from '../../../../functions/accounts/follow-provider-address.ts';
import { AccountWorld } from '../../../fixtures/fakes/account-world.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

const DAY = 86_400_000;
const A = 'ada@example.com';
const B = 'ada@new.example';
const C = 'ada@third.example';
const LENGTH = 4;
// A third of the orders finds the faults that all find.
const STRIDE = 3;

watchLog();
const start = stopClock('2026-01-20T12:00:00Z');

type Actor = ReturnType<AccountWorld['actor']>;
/** An act, and the status of its answer if it asks the API. */
type Act = (world: AccountWorld, actor: Actor) => Promise<{ status: number | undefined } | void>;

const session = async (world: AccountWorld, actor: Actor): Promise<string> =>
  (await actor.signIn(world.ada?.email ?? A, String(world.ada?.password))) ?? 'no-session';

const acts: Record<string, Act> = {
  'request B': async (world, actor) => actor.changeEmail(await session(world, actor), B),
  'request C': async (world, actor) => actor.changeEmail(await session(world, actor), C),
  'take back': async (world, actor) => actor.changeEmail(await session(world, actor), null),
  'prove B': (world, actor) => actor.decide(world.tokenTo(B, 'email-proof') || 'x'.repeat(43), 'prove'),
  approve: (world, actor) =>
    actor.decide(world.tokenTo(A, 'email-change-requested') || 'x'.repeat(43), 'approve'),
  stop: (world, actor) => actor.decide(world.tokenTo(A, 'email-change-requested') || 'x'.repeat(43), 'stop'),
  delete: async (world, actor) => actor.deleteAccount(await session(world, actor)),
  password: async (world, actor) =>
    actor.changePassword(await session(world, actor), String(world.ada?.password), 'another password'),
  reset: async (world, actor) => {
    await actor.mailLink(A);
    return actor.resetPassword(world.tokenTo(A, 'reset') || 'x'.repeat(43), 'reset password');
  },
  provider: async (_, actor) => void (await actor.tokenWith('google_1', A)),
  'Google gives C': async (world) => {
    const { ada } = world;
    if (!ada?.identities.some(({ id }) => id === '1')) return;
    Object.assign(ada, { email: C, emailVerified: true });
    await followProviderAddress(
      world.parts,
      { id: ada.sub, username: ada.username, email: C, emailVerified: true },
      new Date(),
    );
  },
  'claim of B': async (_, actor) => void (await actor.tokenWith('google_2', B)),
  'a week': async (_, actor) => {
    vi.setSystemTime(Date.now() + 7 * DAY);
    await actor.runTasks();
  },
};

const sequences = (length: number): string[][] =>
  length === 0
    ? [[]]
    : sequences(length - 1).flatMap((rest) => Object.keys(acts).map((name) => [...rest, name]));

/** Whether Ada asked for B, and the mailbox proved itself before she asked for something else. */
const mayHaveB = (done: string[]): boolean => {
  let isAsked = false;
  return done.some((name) => {
    if (name === 'request B') isAsked = true;
    else if (['request C', 'take back', 'stop', 'reset'].includes(name)) isAsked = false;
    return isAsked && name === 'prove B';
  });
};

/** The faults after these acts. */
async function faultsAfter(sequence: string[]): Promise<string[]> {
  const faults: string[] = [];
  vi.setSystemTime(start);
  const world = await AccountWorld.with(A);
  const actor = world.actor();
  for (const [index, name] of sequence.entries()) {
    const done = sequence.slice(0, index + 1);
    const status = (await acts[name]?.(world, actor))?.status ?? 200;
    // 503 asks for another try.
    if (status >= 500 && status !== 503) faults.push(`${done.join(', ')}: ${status}`);
    for (const email of [A, B, C]) {
      const [holder, ...others] = world.holdersOf(email);
      if (others.length > 0) faults.push(`${done.join(', ')}: ${email} has several accounts`);
      const owner = world.parts.addresses.owners.get(email);
      if (holder !== undefined && owner !== holder) faults.push(`${done.join(', ')}: ${email} is ${owner}'s`);
    }
    const { address } = world.parts.planTable.rows.get('ada') ?? {};
    if (address !== world.ada?.email) faults.push(`${done.join(', ')}: the row has ${address}`);
    if (world.ada?.email === B && !mayHaveB(done)) faults.push(`${done.join(', ')}: Ada has B`);
  }
  return faults;
}

test(`every ${LENGTH} acts around a change of address keep one account for each address, and never fail`, async () => {
  const faults: string[] = [];
  for (const [index, rest] of sequences(LENGTH - 1).entries()) {
    if (index % STRIDE === 0) faults.push(...(await faultsAfter(['request B', ...rest])));
  }
  // Longer than the others: a provider changes the address that the change is from.
  faults.push(...(await faultsAfter(['request B', 'prove B', 'provider', 'Google gives C', 'approve'])));
  expect(faults).toEqual([]);
});
