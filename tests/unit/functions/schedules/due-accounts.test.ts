import { beforeEach, expect, test, vi } from 'vitest';
import {
  consumeDueAccounts,
  type DueDependencies,
  processDueAccount,
} from '../../../../functions/schedules/due-accounts.ts';
import { jobShares, processesOf, type StripeJob } from '../../../../schemas/config/stripe-shares.ts';
import { IdleWorld } from '../../../fixtures/fakes/idle-world.ts';
import { mostAtOnce } from '../../../fixtures/fakes/limits.ts';
import { batchOf } from '../../../fixtures/fakes/memory-queue.ts';
import { NthCallHook } from '../../../fixtures/fakes/nth-call-hook.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

const log = watchLog();
let world: IdleWorld;
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  world = new IdleWorld();
});

const idle = (user: string) => ({ task: 'idle', user, limit: 100 }) as const;
const crowd = Array.from({ length: 9 }, (_, index) => `user-${index}`);

test('an account that fails is tried again alone, and stops nobody else', async () => {
  for (const id of ['poisoned', ...crowd]) await world.signUp(id);
  world.pass(335);
  const findBySub = world.userPool.findBySub.bind(world.userPool);
  vi.spyOn(world.userPool, 'findBySub').mockImplementation(async (id) => {
    if (id === 'poisoned') throw new Error('Unreadable.');
    return findBySub(id);
  });
  const highest = mostAtOnce(world.planTable, 'read');
  const batch = batchOf(['poisoned', ...crowd].map(idle));
  expect(await consumeDueAccounts(world)(batch)).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
  expect(world.mail.sent).toHaveLength(9);
  expect(highest()).toBe(5);
  const message = JSON.stringify(idle('poisoned'));
  expect(log.of('due-account-failed')).toMatchObject([{ message }]);
});

test('a message that nobody can read fails alone, and what time does not allow is left', async () => {
  await world.signUp('ada');
  world.pass(335);
  const batch = batchOf([{ task: 'unknown' }, idle('ada')]);
  expect(await consumeDueAccounts(world)(batch)).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
  expect(world.mail.sent).toHaveLength(1);
  const late = await consumeDueAccounts(world)(batchOf([idle('ada')]), () => true);
  expect(late).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
});

/** Ends the process at the call number `n` of the ports, and from then on. */
function killedAt(n: number, killed: IdleWorld): { dependencies: DueDependencies; hook: NthCallHook } {
  let isDead = false;
  const hook = new NthCallHook(n, async () => {
    isDead = true;
  });
  const dying = <T extends object>(port: T): T => {
    const calls = hook.wrap(port);
    return new Proxy(calls, {
      get: (target, name, self) => {
        const call: unknown = Reflect.get(target, name, self);
        if (typeof call !== 'function') return call;
        return async (...parameters: unknown[]): Promise<unknown> => {
          if (isDead) return new Promise(() => {});
          const answer: unknown = await Reflect.apply(call, target, parameters);
          return isDead ? new Promise(() => {}) : answer;
        };
      },
    });
  };
  const { planTable, idle: rows, steps, mail, userPool } = killed;
  const ports = { planTable: dying(planTable), idle: dying(rows), steps: dying(steps) };
  const others = { mail: dying(mail), userPool: dying(userPool) };
  return { dependencies: Object.assign(Object.create(killed) as IdleWorld, ports, others), hook };
}

test.each([
  ['the first warning', 335, 1],
  ['the deletion', undefined, 3],
])('a consumer that is killed during %s loses nothing, and mails nobody twice', async (_, days, mails) => {
  for (let n = 1; ; n += 1) {
    world = new IdleWorld();
    await world.signUp('ada');
    if (days === undefined) await world.untilDeletion();
    else world.pass(days);
    const { dependencies, hook } = killedAt(n, world);
    const done = processDueAccount(dependencies, idle('ada')).catch(() => undefined);
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 20))]);
    // SQS brings the message again, twice, and later the hourly schedule sends another.
    for (let time = 0; time < 2; time += 1)
      await processDueAccount(world, idle('ada')).catch(() => undefined);
    expect(world.mail.sent.length).toBeLessThanOrEqual(mails);
    await world.live(365 + 30);
    expect([n, world.isGone('ada')]).toEqual([n, true]);
    if (!hook.hasRun) break;
    expect(n).toBeLessThan(40);
  }
});

test('the jobs leave half of Stripe’s rate to webhooks and users', () => {
  const shares = Object.values(jobShares);
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(50);
  for (const job of Object.keys(jobShares) as StripeJob[]) expect(processesOf(job)).toBeGreaterThanOrEqual(1);
});
