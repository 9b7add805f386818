import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  type CallRecordingProduct,
  startCallRecordingProduct,
  type User,
} from '../../fixtures/worlds/call-recording-product.ts';
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
  return product.run('schedules/idle-accounts', { task: 'sweep' });
};
const isInThePool = async ({ email }: User): Promise<boolean> =>
  (await product.cognito.signInRaw(email)).error === undefined;

test('two users stay away for eleven months: the one who then signs in keeps the account, the other loses it after a year', async () => {
  const leaver = await product.signUp();
  const rescued = await product.signUp();
  for (const user of [leaver, rescued]) expect((await product.ask('plan', user)).status).toBe(200);

  expect(await nextDay(334)).toMatchObject({ outcomes: { warned: 0 } });
  expect(await product.run('schedules/idle-accounts', { task: 'dry-run', days: 1 })).toMatchObject({
    accounts: [{ step: 'warn' }, { step: 'warn' }],
  });
  expect(await nextDay(1)).toMatchObject({ outcomes: { warned: 2 } });
  // The mail's button leads to the sign-in, and the dashboard reads the plan.
  await product.ask('plan', await product.signIn(rescued));
  expect(await nextDay(23)).toMatchObject({ outcomes: { warned: 1, deleted: 0 } });
  expect(await isInThePool(leaver)).toBe(true);
  expect(await nextDay(7)).toMatchObject({ outcomes: { warned: 0, deleted: 1 } });

  expect(await product.rowOf(leaver)).toBeUndefined();
  expect(await isInThePool(leaver)).toBe(false);
  expect((await product.ask('plan', await product.signIn(rescued))).body).toMatchObject({ plan: 'free' });
  // A token from before the deletion opens no new row.
  expect((await product.ask('plan', leaver)).status).toBe(401);
  expect(await product.rowOf(leaver)).toBeUndefined();
});

test('rows from before the schedule are found once, and their year begins then', async () => {
  await product.clear();
  const user = await product.signUp();
  await product.changeRow(user, { plan: 'free', last_sign_in_at: '2020-01-01T00:00:00.000Z' });
  expect(await nextDay(400)).toMatchObject({ outcomes: { warned: 0, deleted: 0 } });
  expect(await product.run('schedules/idle-accounts', { task: 'schedule-all' })).toEqual({
    scheduled: 1,
    unfinished: false,
  });
  expect(await nextDay(334)).toMatchObject({ outcomes: { warned: 0 } });
  expect(await nextDay(1)).toMatchObject({ outcomes: { warned: 1 } });
});

test('a user who never comes back to the site is not warned while an app renews its token each month', async () => {
  await product.clear();
  const [inApp, away] = [await product.signUp(), await product.signUp()];
  for (const user of [inApp, away]) await product.ask('plan', user);
  const warned: number[] = [];
  for (let month = 0; month < 14; month += 1) {
    await product.advance(28 * DAY);
    await product.run('triggers/pre-token-generation', {
      triggerSource: 'TokenGeneration_RefreshTokens',
      request: { userAttributes: { sub: inApp.id } },
    });
    const { outcomes } = (await nextDay(1)) as { outcomes: { warned: number; deleted: number } };
    warned.push(outcomes.warned + outcomes.deleted);
  }
  // The other user: two warnings, and the deletion.
  expect(warned.reduce((sum, each) => sum + each)).toBe(3);
  expect(await product.rowOf(away)).toBeUndefined();
  expect(await isInThePool(inApp)).toBe(true);
});
