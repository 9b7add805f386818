import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  type CallRecordingProduct,
  startCallRecordingProduct,
  type User,
} from '../../fixtures/worlds/call-recording-product.ts';
import { batchOf } from '../../fixtures/fakes/memory-queue.ts';
import { DAY } from '../../fixtures/worlds/stripe-stand-in.ts';

let product: CallRecordingProduct;

beforeAll(async () => {
  product = await startCallRecordingProduct();
});
afterAll(() => product.stop());
beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
});

const nextDay = async (days: number) => {
  await product.advance(days * DAY);
  const { accounts } = (await product.run('schedules/idle-accounts', { task: 'dry-run' })) as {
    accounts: { id: string; step: string }[];
  };
  const messages = accounts.map(({ id }) => ({ task: 'idle', user: id, limit: 100 }));
  expect(await product.run('schedules/due-accounts', batchOf(messages))).toEqual({ batchItemFailures: [] });
  return accounts.map(({ step }) => step);
};
const isInThePool = async ({ email }: User): Promise<boolean> =>
  (await product.cognito.signInRaw(email)).error === undefined;

test('two users stay away for eleven months: the one who then signs in keeps the account, the other loses it after a year', async () => {
  const leaver = await product.signUp();
  const rescued = await product.signUp();
  for (const user of [leaver, rescued]) expect((await product.ask('plan', user)).status).toBe(200);

  expect(await nextDay(334)).toEqual([]);
  expect(await product.run('schedules/idle-accounts', { task: 'dry-run', days: 1 })).toMatchObject({
    accounts: [{ step: 'warn' }, { step: 'warn' }],
  });
  expect(await nextDay(1)).toEqual(['warn', 'warn']);
  // The mail's button leads to the sign-in, and the dashboard reads the plan.
  await product.ask('plan', await product.signIn(rescued));
  expect(await nextDay(23)).toEqual(['warn']);
  expect(await isInThePool(leaver)).toBe(true);
  expect(await nextDay(7)).toEqual(['delete']);

  expect(await product.rowOf(leaver)).toBeUndefined();
  expect(await isInThePool(leaver)).toBe(false);
  expect((await product.ask('plan', await product.signIn(rescued))).body).toMatchObject({ plan: 'free' });
  // A token from before the deletion opens no new row.
  expect((await product.ask('plan', leaver)).status).toBe(401);
  expect(await product.rowOf(leaver)).toBeUndefined();
});
