import { beforeEach, describe, expect, test, vi } from 'vitest';
import { refused } from '../../../fixtures/fakes/http-event.ts';
import { MINUTE, A, B, C, addressActs } from './address-acts.ts';

const acts = addressActs();
const {
  log,
  later,
  secondsAgo,
  ask,
  confirm,
  undo,
  mailsTo,
  codeTo,
  wrongCodeTo,
  tokenTo,
  typed,
  beforeNext,
  afterNext,
  ada,
  addressOfAda,
  change,
} = acts;
let { world, mail, pool } = acts.current;
beforeEach(() => void ({ world, mail, pool } = acts.current));

describe('asking for another address', () => {
  test('mails six digits to the new address and changes nothing', async () => {
    expect(await ask(' Ada@NEW.example ')).toEqual({ status: 200, body: { sent: true } });
    expect(mail.sent).toMatchObject([{ to: B, email: { name: 'email-code' } }]);
    expect(codeTo(B)).toMatch(/^\d{6}$/);
    expect(addressOfAda()).toBe(A);
    expect([...world.addresses.owners]).toEqual([[A, 'ada']]);
  });

  test('stores no code in the clear, and logs neither code nor address', async () => {
    await ask(B);
    const code = codeTo(B);
    await confirm(wrongCodeTo(B));
    await confirm(code);
    expect(JSON.stringify([...world.addressChanges.items.values()])).not.toContain(code);
    expect(log.text()).not.toContain(code);
    expect(log.text()).not.toContain('@');
  });

  test('says the same after the day’s mails to the new address, and sends none', async () => {
    while (await world.limits.take('mail', B, new Date()));
    expect(await ask(B)).toEqual({ status: 200, body: { sent: true } });
    expect(mail.sent).toEqual([]);
  });

  test('needs a sign-in of the last ten minutes', async () => {
    expect(await ask(B, secondsAgo(601))).toMatchObject(refused(403, 'sign-in-again'));
    expect(mail.sent).toEqual([]);
    expect(await ask(B, secondsAgo(600))).toMatchObject({ status: 200 });
  });

  test.each([
    ['a linked provider', { identities: [{ provider: 'google' as const, id: '1' }] }],
    ['no password', { password: undefined }],
  ])('is refused for an account with %s, whose address the provider writes', async (_, fields) => {
    pool.put({ username: 'ada', ...fields });
    const answer = await ask(B);
    expect(answer).toMatchObject(refused(409, 'address-from-provider'));
    expect(answer.body['error']).toContain('the provider');
    expect(mail.sent).toEqual([]);
  });

  test('is refused for the present address', async () => {
    expect(await ask('ADA@example.com')).toMatchObject(refused(409, 'same-address'));
  });

  test.each([
    '',
    'ada',
    'ada@example',
    'ada@exa mple.com',
    `${'a'.repeat(120)}@x.example`,
    'ä@example.com',
    null,
  ])('refuses %j as malformed', async (address) => {
    expect(await ask(address)).toMatchObject(refused(400, 'bad-request'));
    expect(mail.sent).toEqual([]);
  });

  test('sends at most five mails an hour, to whatever addresses', async () => {
    for (let count = 0; count < 5; count += 1)
      expect(await ask(`${count}@new.example`)).toMatchObject({ status: 200 });
    expect(await ask(B)).toMatchObject(refused(429, 'too-many-tries'));
    expect(mail.sent).toHaveLength(5);
    later(60 * MINUTE);
    expect(await ask(B)).toMatchObject({ status: 200 });
  });

  test('is refused for an address whose mail bounces', async () => {
    mail.suppressed.add(B);
    expect(await ask(B)).toMatchObject(refused(409, 'undeliverable-address'));
    expect(mail.sent).toEqual([]);
    mail.suppressed.clear();
    expect(await ask(B)).toMatchObject({ status: 200 });
  });

  test('says of at most five addresses an hour whether their mail bounces', async () => {
    const isSuppressed = vi.spyOn(mail, 'isSuppressed');
    for (let count = 0; count < 5; count += 1) {
      const address = `${count}@new.example`;
      mail.suppressed.add(address);
      expect(await ask(address)).toMatchObject(refused(409, 'undeliverable-address'));
    }
    mail.suppressed.add(B);
    expect(await ask(B)).toMatchObject(refused(429, 'too-many-tries'));
    expect(isSuppressed).toHaveBeenCalledTimes(5);
  });

  test('says so if the mail cannot be sent', async () => {
    mail.down = true;
    expect(await ask(B)).toMatchObject(refused(503, 'mail-not-sent'));
  });
});

describe('an address that another account has', () => {
  const expectSameAnswers = async () => {
    expect(await ask(B)).toEqual({ status: 200, body: { sent: true } });
    for (let count = 0; count < 5; count += 1) {
      expect(await confirm(`00000${count}`)).toMatchObject(refused(403, 'wrong-code'));
    }
    expect(await confirm('000005')).toMatchObject(refused(409, 'code-expired'));
  };

  test('is mailed a notice in place of a code, and the caller is answered the same', async () => {
    pool.put({ username: 'bob', email: B });
    await expectSameAnswers();
    expect(mail.sent).toMatchObject([{ to: B, email: { name: 'email-in-use' } }]);
    expect(mail.sent[0]?.email.text).not.toMatch(/\b\d{6}\b/);
    expect(addressOfAda()).toBe(A);
  });

  test('by a provider is known by its claim', async () => {
    pool.put({
      username: 'Google_1',
      email: B,
      password: undefined,
      identities: [{ provider: 'google', id: '1' }],
    });
    world.addresses.owners.set(B, 'Google_1');
    await expectSameAnswers();
    expect(mail.sent).toMatchObject([{ email: { name: 'email-in-use' } }]);
  });

  test.each([
    ['was deleted', undefined],
    ['has moved on', C],
  ])('by a claim of an account that %s is free', async (_, present) => {
    if (present) pool.put({ username: 'bob', email: present });
    world.addresses.owners.set(B, 'bob');
    await change(B);
    expect(world.addresses.owners.get(B)).toBe('ada');
  });

  test('that was never confirmed is free, and that account goes once the address is proved', async () => {
    pool.put({ username: 'stranger', email: B, status: 'UNCONFIRMED', emailVerified: false });
    await ask(B);
    expect(pool.accounts.has('stranger')).toBe(true);
    await confirm(codeTo(B));
    expect(pool.accounts.has('stranger')).toBe(false);
    expect(addressOfAda()).toBe(B);
  });

  test.each([
    ['in the pool', () => pool.put({ username: 'bob', email: B })],
    [
      'by a provider',
      () => {
        pool.put({ username: 'Google_1', email: B, password: undefined });
        world.addresses.owners.set(B, 'Google_1');
      },
    ],
  ])('since the code was sent, %s, stays with it', async (_, take) => {
    await ask(B);
    take();
    expect(await confirm(codeTo(B))).toMatchObject(refused(409, 'address-taken'));
    expect(addressOfAda()).toBe(A);
    expect(world.addresses.owners.get(A)).toBe('ada');
    expect(world.addresses.owners.get(B)).not.toBe('ada');
    expect(mailsTo(A)).toEqual([]);
  });

  test('in the pool since the last look leaves the old address', async () => {
    await ask(B);
    beforeNext('setAddress', () => pool.put({ username: 'bob', email: B }));
    expect(await confirm(codeTo(B))).toMatchObject(refused(409, 'address-taken'));
    expect(world.addresses.owners.get(A)).toBe('ada');
    expect(addressOfAda()).toBe(A);
    expect(await undo(tokenTo(A))).toMatchObject({ status: 410 });
  });

  test('that another user only types at the same moment is not claimed', async () => {
    await ask(B);
    beforeNext('setAddress', () => typed(B));
    expect(await confirm(codeTo(B))).toMatchObject({ status: 200 });
    expect(addressOfAda()).toBe(B);
  });

  test('that is typed again and again leaves the question open, and the link', async () => {
    await ask(B);
    const set = vi.spyOn(pool, 'setAddress').mockResolvedValue(false);
    expect(await confirm(codeTo(B))).toMatchObject(refused(503, 'busy'));
    set.mockRestore();
    expect(await undo(tokenTo(A))).toMatchObject({ body: { outcome: 'restored' } });
  });

  describe('by a provider, proved after the pool was changed,', () => {
    /** Google signs in with B when the pool has it, and another user does `then`. */
    const lose = async (then: () => void) => {
      await ask(B);
      afterNext('setAddress', () => {
        pool.put({ username: 'google_1', email: B, status: 'EXTERNAL_PROVIDER', password: undefined });
        world.addresses.owners.set(B, 'google_1');
        then();
      });
      return confirm(codeTo(B));
    };

    test('stays with the provider, and the account has its own again', async () => {
      expect(await lose(() => {})).toMatchObject(refused(409, 'address-taken'));
      expect(ada()).toMatchObject({ email: A, emailVerified: true });
      expect([...world.addresses.owners]).toEqual([
        [A, 'ada'],
        [B, 'google_1'],
      ]);
      expect(await undo(tokenTo(A))).toMatchObject({ status: 410 });
    });

    test('leaves the link, and an address that is not trusted, if its own is lost, too', async () => {
      const answer = await lose(() => {
        pool.put({ username: 'second', email: A });
        world.addresses.owners.set(A, 'second');
      });
      expect(answer).toMatchObject({ status: 500 });
      expect(ada()).toMatchObject({ email: B, emailVerified: false });
      pool.accounts.delete('second');
      expect(await undo(tokenTo(A))).toMatchObject({ body: { outcome: 'restored' } });
      expect(ada()).toMatchObject({ email: A, emailVerified: true });
    });
  });
});
