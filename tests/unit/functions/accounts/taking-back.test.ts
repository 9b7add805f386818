import { describe, expect, test, vi } from 'vitest';
import { AccountWorld } from '../../../fixtures/fakes/account-world.ts';
import { Theft } from '../../../fixtures/fakes/theft.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

const MINUTE = 60_000;
const A = 'ada@example.com';

watchLog();
const start = stopClock('2026-01-20T12:00:00Z');

type StepName = keyof Theft['steps'];
const names = Object.keys(new Theft(new AccountWorld()).steps) as StepName[];

/** Plays steps, six minutes apart. Resolves with undefined if one isn't possible. */
async function play(steps: readonly StepName[]): Promise<Theft | undefined> {
  vi.setSystemTime(start);
  const theft = new Theft(await AccountWorld.with(A, 20));
  const signIn = theft.steps['they sign in']();
  if (signIn) await signIn();
  for (const step of steps) {
    const take = theft.steps[step]();
    if (!take || !(await take())) return undefined;
    // A second mail about a password is sent after five minutes.
    vi.setSystemTime(Date.now() + (/password|undo|link/.test(step) ? 6 : 1) * MINUTE);
  }
  return theft;
}

/** Checks every possible order that begins with these steps. Resolves with the number of orders. */
async function inEveryOrder(
  begun: readonly StepName[],
  length: number,
  check: (theft: Theft, steps: readonly StepName[]) => Promise<void>,
): Promise<number> {
  const theft = await play(begun);
  if (!theft) return 0;
  const next = names.filter((name) => theft.steps[name]() !== false);
  try {
    await check(theft, begun);
  } catch (error) {
    throw new Error(`After "${begun.join(', ')}": ${String(error)}`, { cause: error });
  }
  let orders = 1;
  if (begun.length === length) return orders;
  for (const name of next) orders += await inEveryOrder([...begun, name], length, check);
  return orders;
}

const check = async (theft: Theft, steps: readonly StepName[]): Promise<void> => {
  expect(theft.mails).toEqual(theft.due.toSorted());
  if (theft.isOwners) await theft.ownerTakesBack();
  const again = await play(steps);
  await again?.daysPass();
  expect(again?.mails).toEqual(again?.due.toSorted());
};

// Each order ends in both ways. Longer orders find nothing that these don't.
const LENGTH = 5;

describe('within seven days the owner has everything back, and after them the requested deletion has happened', () => {
  test.each([
    ['they ask for another address', 138],
    ['they change the password', 31],
    ['they cancel', 49],
    ['they delete', 1],
    ['she resets the password', 5],
  ] as const)('when %s, and both go on in every order', async (first, orders) => {
    expect(await inEveryOrder([first], LENGTH, check)).toBe(orders);
  });
});
