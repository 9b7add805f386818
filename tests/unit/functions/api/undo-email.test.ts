import { beforeEach, describe, expect, test, vi } from 'vitest';
import { refused } from '../../../fixtures/fakes/http-event.ts';
import { MINUTE, A, B, C, type Called, addressActs } from './address-acts.ts';

const acts = addressActs();
const {
  log,
  later,
  ask,
  undo,
  clock,
  lastMailTo,
  beforeNext,
  afterNext,
  ada,
  endedBy,
  addressOfAda,
  change,
} = acts;
let { world, pool } = acts.current;
beforeEach(() => void ({ world, pool } = acts.current));

describe('the link in the mail to the earlier address', () => {
  test('sets the address back and takes the account from the user who has it', async () => {
    const token = await change(B);
    // The thief has linked a provider that has the new address, and waits for another.
    ada().identities = [{ provider: 'google', id: '1' }];
    expect(await undo(token)).toMatchObject({ status: 200, body: { outcome: 'restored' } });
    expect(ada()).toMatchObject({
      email: A,
      emailVerified: true,
      password: 'known to nobody',
      identities: [],
      enabled: true,
      // Before the address is set back, and once more after a code could have been used.
      sessionsEnded: endedBy(2),
    });
    expect(pool.resets).toEqual([A]);
    expect([...world.addresses.owners]).toEqual([[A, 'ada']]);
    expect(lastMailTo(B)).toMatchObject({ name: 'email-change-undone' });
  });

  test('works after the address was changed again, and voids the links to later addresses', async () => {
    const first = await change(B);
    const second = await change(C);
    expect(await undo(first)).toMatchObject({ status: 200 });
    expect(addressOfAda()).toBe(A);
    expect(await undo(second)).toMatchObject(refused(410, 'undo-not-possible'));
    expect(addressOfAda()).toBe(A);
  });

  test('cannot be pushed out by changing the address again and again', async () => {
    const token = await change(B);
    for (let count = 1; count < 10; count += 1) {
      later(20 * MINUTE);
      await change(`${count}@new.example`);
    }
    later(60 * MINUTE);
    expect(await ask(C)).toMatchObject(refused(429, 'too-many-tries'));
    expect(await undo(token)).toMatchObject({ status: 200 });
    expect(addressOfAda()).toBe(A);
  });

  test('is stored as a hash', async () => {
    const token = await change(B);
    const secret = token.split('.')[1]!;
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify([...world.addressChanges.items.values()])).not.toContain(secret);
    expect(log.text()).not.toContain(secret);
  });

  test.each(['', 'x', 'ada.x', `ada.${'a'.repeat(43)}`, `eve.${'a'.repeat(43)}`, `.${'a'.repeat(43)}`, '{}'])(
    'with the token %j does nothing',
    async (token) => {
      await change(B);
      expect((await undo(token)).status).toBe(token === '' ? 400 : 410);
      expect(ada()).toMatchObject({
        email: B,
        password: 'correct horse',
        sessionsEnded: endedBy(0),
      });
    },
  );

  test.each([
    ['by our route', () => world.addressChanges.remove('ada')],
    ['at Cognito itself', async () => {}],
  ])('answers kindly after the account was deleted %s', async (_, forget) => {
    const token = await change(B);
    pool.accounts.delete('ada');
    await forget();
    const answer = await undo(token);
    expect(answer).toMatchObject(refused(410, 'undo-not-possible'));
    expect(answer.body['error']).toContain('the account was deleted');
  });

  test('works again after an undo that failed half-way', async () => {
    const token = await change(B);
    vi.spyOn(pool, 'endSessions').mockRejectedValueOnce(new Error('Cognito is out of reach.'));
    expect(await undo(token)).toMatchObject({ status: 500 });
    expect(addressOfAda()).toBe(B);
    expect(await undo(token)).toMatchObject({ status: 200, body: { outcome: 'restored' } });
    expect(ada()).toMatchObject({ email: A, sessionsEnded: endedBy(2) });
    expect([...world.addresses.owners]).toEqual([[A, 'ada']]);
  });

  test('locks out the user who changed the address before it sets the address back', async () => {
    const token = await change(B);
    let before: unknown;
    beforeNext('setAddress', () => void (before = structuredClone(ada())));
    await undo(token);
    expect(before).toMatchObject({
      email: B,
      enabled: false,
      password: 'known to nobody',
      sessionsEnded: endedBy(1),
    });
  });

  test('keeps the account disabled, and works again, if the mail for a new password cannot be sent', async () => {
    const token = await change(B);
    pool.resetsFail = true;
    expect(await undo(token)).toMatchObject({ status: 500 });
    expect(ada()).toMatchObject({ enabled: false, password: 'known to nobody' });
    pool.resetsFail = false;
    expect(await undo(token)).toMatchObject({ status: 200, body: { outcome: 'restored' } });
    expect(ada()).toMatchObject({ email: A, enabled: true });
    expect(pool.resets).toEqual([A]);
  });

  test('enables an account only when nothing is linked to it', async () => {
    const token = await change(B);
    afterNext('setAddress', () => (ada().identities = [{ provider: 'google', id: '666' }]));
    let linked: unknown;
    beforeNext('enable', () => (linked = ada().identities));
    await undo(token);
    expect(linked).toEqual([]);
  });

  test('removes a password that a code of the replaced address has set meanwhile', async () => {
    const token = await change(B);
    afterNext('enable', () => (ada().password = 'the thief’s'));
    await undo(token);
    expect(ada().password).toBe('known to nobody');
  });

  test.each<[string, Called, () => unknown]>([
    ['support disables the account', 'sendReset', () => pool.disable('ada')],
    ['a provider’s sign-in writes its address', 'enable', () => (ada().email = B)],
  ])('does not say that it has worked if %s', async (_, name, meanwhile) => {
    const token = await change(B);
    afterNext(name, meanwhile);
    expect(await undo(token)).toMatchObject({ status: 500 });
    expect(await undo(token)).toMatchObject({ status: 200, body: { outcome: 'restored' } });
    expect(ada()).toMatchObject({ email: A, enabled: true });
  });

  test('leaves the address to the link of a still earlier one that is used at the same time', async () => {
    const first = await change(B);
    const second = await change(C);
    let earlier: Promise<unknown> | undefined;
    // The earlier link waits for its turn.
    beforeNext('setAddress', () => {
      earlier = undo(first);
    });
    vi.spyOn(clock, 'pause').mockImplementation(() => new Promise(setImmediate));
    expect(await undo(second)).toMatchObject(refused(409, 'undo-under-way'));
    expect(await earlier).toMatchObject({ status: 200, body: { outcome: 'restored' } });
    expect(ada()).toMatchObject({ email: A, enabled: true });
    expect(await undo(second)).toMatchObject({ status: 410 });
  });

  test('does not open an account that support has disabled', async () => {
    const token = await change(B);
    ada().enabled = false;
    expect(await undo(token)).toMatchObject({ status: 410 });
    expect(ada()).toMatchObject({ email: B, enabled: false });
  });

  test('locks the account if another account has proved the address since, and works once that is gone', async () => {
    const token = await change(B);
    pool.put({ username: 'second', email: A });
    world.addresses.owners.set(A, 'second');
    expect(await undo(token)).toMatchObject({ status: 200, body: { outcome: 'locked' } });
    expect(ada()).toMatchObject({
      email: B,
      emailVerified: false,
      enabled: false,
      password: 'known to nobody',
      sessionsEnded: endedBy(1),
    });
    expect(pool.resets).toEqual([]);
    expect(world.addresses.owners.get(A)).toBe('second');

    pool.accounts.delete('second');
    expect(await undo(token)).toMatchObject({ status: 200, body: { outcome: 'restored' } });
    expect(ada()).toMatchObject({ email: A, emailVerified: true, enabled: true });
    expect(world.addresses.owners.get(A)).toBe('ada');
  });
});
