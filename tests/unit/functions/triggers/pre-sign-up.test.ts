import { beforeEach, describe, expect, test, vi } from 'vitest';
import { removalMark } from '../../../../functions/accounts/address-ownership.ts';
import { handlePreSignUp } from '../../../../functions/triggers/pre-sign-up.ts';
import { NthCallHook } from '../../../fixtures/fakes/nth-call-hook.ts';
import { triggerRefusals } from '../../../../schemas/trigger-refusals.ts';
import {
  addresses,
  beginWithNobody,
  byGoogle,
  dependencies,
  event,
  find,
  given,
  limits,
  mail,
  native,
  ownerOfAddress,
  pool,
  trigger,
  unconfirmed,
} from './pre-sign-up-acts.ts';

const log = beginWithNobody();

describe('a sign-up with an address whose mail bounces', () => {
  const attempt = event('SignUp', 'some-uuid', { email: 'ada@example.com' });
  const signUp = (changed: Partial<ReturnType<typeof dependencies>> = {}) =>
    handlePreSignUp({ ...dependencies(), ...changed })(attempt);
  beforeEach(() => void mail.suppressed.add('ada@example.com'));

  test('is refused with what to do, and leaves an unconfirmed account', async () => {
    pool.put(unconfirmed);
    await expect(signUp()).rejects.toThrow(triggerRefusals.undeliverable);
    expect(triggerRefusals.undeliverable).toMatch(/another address, or write to .*@/);
    expect(pool.accounts.size).toBe(1);
  });

  test('says that the address is taken if it is', async () => {
    given(byGoogle);
    await expect(signUp()).rejects.toThrow(triggerRefusals.addressTaken);
  });

  test('succeeds while SES does not answer', async () => {
    mail.listDown = true;
    await expect(signUp()).resolves.toBeDefined();
    expect(log.of('suppression-not-read')).toHaveLength(1);
  });

  test('succeeds where Cognito sends the mail itself', async () => {
    await expect(signUp({ sendsThroughSes: false })).resolves.toBeDefined();
  });
});

describe('a sign-up with a password', () => {
  const signUp = (email = 'ada@example.com') => trigger(event('SignUp', 'some-uuid', { email }));

  test("is refused for the address of a provider's account, in Cognito's own words, and logged as a refusal", async () => {
    given(byGoogle);
    const sentence = 'An account with the given email already exists.';
    await expect(signUp('ADA@example.com')).rejects.toThrow(new RegExp(`^${sentence}$`));
    // The alarm subtracts refusals from the failures.
    const refusal = { event: 'sign-up-refused', triggerSource: 'PreSignUp_SignUp', sentence };
    expect(log.lines).toEqual([refusal]);
  });

  test('deletes an account that was never confirmed, so that the new password counts', async () => {
    pool.put(unconfirmed);
    await signUp('ADA@example.com');
    expect(pool.accounts.size).toBe(0);
    expect(addresses.owners.size).toBe(0);
  });

  test('leaves an account that is confirmed at the same moment, and its address', async () => {
    pool.put(unconfirmed);
    // Cognito confirms, and the post-confirmation trigger claims the address.
    const confirms = new NthCallHook(3, async () => given(native));
    const racing = { users: () => confirms.wrap(pool), addresses: confirms.wrap(addresses) };
    const waiting = { ...dependencies(), ...racing };
    await handlePreSignUp(waiting)(event('SignUp', 'some-uuid', { email: 'ada@example.com' }));
    expect(confirms.hasRun).toBe(true);
    expect(pool.accounts.get(native.username)?.status).toBe('CONFIRMED');
    expect(ownerOfAddress()).toBe(native.username);
  });

  test('is refused after the day’s mails to the address, and the account with the newest mail stays', async () => {
    pool.put(unconfirmed);
    while (await limits.take('sign-up', 'ADA@example.com', new Date()));
    await expect(signUp('ada@example.com')).rejects.toThrow(triggerRefusals.spent);
    expect(pool.accounts.has(unconfirmed.username)).toBe(true);
  });

  test('is accepted if the day’s mails can’t be counted', async () => {
    limits.take = () => Promise.reject(new Error('throttled'));
    await expect(signUp('ada@example.com')).resolves.toBeDefined();
  });

  test.each([
    '',
    'ada(1)@example.com',
    'ada@example.com.',
    '"ada"@example.com',
    'a\\da@example.com',
    'ada@(home)example.com',
    'ada@[127.0.0.1]',
  ])('is refused with the address “%s”, whose mails could not be counted', async (email) => {
    const made = event('SignUp', 'some-uuid', { email });
    await expect(trigger(made)).rejects.toThrow(triggerRefusals.addressInvalid);
    expect(find).not.toHaveBeenCalled();
  });

  test('for an address with an account is left to Cognito’s refusal, and uses up none of its mails', async () => {
    given(native);
    for (let tries = 0; tries < 10; tries += 1) await signUp('ada@example.com');
    expect(await limits.take('sign-up', 'ada@example.com', new Date())).toBe(true);
  });

  test.each([
    ['an account that has another address by now', { ...byGoogle, email: 'bob@example.com' }],
    ['an account whose address is not verified', { ...byGoogle, emailVerified: false }],
  ])('is accepted for the address of %s', async (_, account) => {
    pool.put(account);
    addresses.owners.set('ada@example.com', account.username);
    expect(await signUp()).toBeDefined();
  });

  test('is accepted although an earlier deletion has left its mark', async () => {
    addresses.owners.set('ada@example.com', removalMark('gone'));
    expect(await signUp()).toBeDefined();
    expect(find.mock.calls).toEqual([['ada@example.com']]);
  });
});

test('an account that an administrator creates is accepted without a search', async () => {
  vi.spyOn(pool, 'find').mockRejectedValue(new Error('not asked'));
  const made = event('AdminCreateUser', 'some-uuid', { email: 'ada@example.com' });
  expect(await trigger(made)).toBe(made);
});
