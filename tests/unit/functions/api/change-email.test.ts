import { beforeEach, describe, expect, test, vi } from 'vitest';
import { changeEmail } from '../../../../functions/api/change-email.ts';
import { confirmEmail } from '../../../../functions/api/confirm-email.ts';
import { undoEmail } from '../../../../functions/api/undo-email.ts';
import { addressWorld } from '../../../fixtures/fakes/address-world.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const start = Date.parse('2026-01-20T12:00:00Z');
const A = 'ada@example.com';
const B = 'ada@new.example';
const C = 'ada@third.example';

const log = watchLog();
stopClock('2026-01-20T12:00:00Z');
let world = addressWorld(A);
let { mail, pool } = world;
beforeEach(() => {
  world = addressWorld(A);
  ({ mail, pool } = world);
});

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;
const ask = (newEmail: unknown, authTime = secondsAgo(60)) =>
  call(changeEmail(world), { user: 'ada', authTime, body: { newEmail } });
const confirm = (code: unknown) => call(confirmEmail(world), { user: 'ada', body: { code } });
const undo = (token: unknown) => call(undoEmail(world, clock), { body: { token } });
/** A request that waits for another's turn tries again at once. */
const clock = { now: () => new Date(), pause: async () => {} };

const mailsTo = (address: string) => mail.sent.filter(({ to }) => to === address).map(({ email }) => email);
const lastMailTo = (address: string) => mailsTo(address).at(-1)!;
const codeTo = (address: string) => /\b\d{6}\b/.exec(lastMailTo(address).text)![0];
const wrongCodeTo = (address: string) => (codeTo(address) === '000000' ? '000001' : '000000');
const tokenTo = (address: string) => /undo-email#(\S+)/.exec(lastMailTo(address).text)![1]!;
/** An account whose address nobody has proved. */
const typed = (email: string) =>
  pool.put({ username: 'typed', email, status: 'UNCONFIRMED', emailVerified: false });
type Called = 'setAddress' | 'sendReset' | 'enable';
/** Does something just before, or just after, the next call of a method of the pool takes effect. */
const hookNext = (
  name: Called,
  { before = () => {}, after = () => {} }: Partial<Record<'before' | 'after', () => unknown>>,
) => {
  const method = pool[name].bind(pool) as (...given: string[]) => Promise<never>;
  vi.spyOn(pool, name).mockImplementationOnce(async (...given: string[]) => {
    await before();
    const answer = await method(...given);
    await after();
    return answer;
  });
};
const beforeNext = (name: Called, before: () => unknown) => hookNext(name, { before });
const afterNext = (name: Called, after: () => unknown) => hookNext(name, { after });
const ada = () => pool.accounts.get('ada')!;
/** The passwords at the ends of sessions: by the change, and so often by the undo. */
const endedBy = (undos: number) => [
  'correct horse',
  ...Array.from({ length: undos }, () => 'known to nobody'),
];
const addressOfAda = () => ada().email;

/** Changes the address. Resolves with the token of the mail to the earlier one. */
const change = async (to: string): Promise<string> => {
  const from = addressOfAda()!;
  await ask(to);
  expect(await confirm(codeTo(to))).toMatchObject({ status: 200 });
  return tokenTo(from);
};

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
    ['a linked provider', { identities: [{ provider: 'Google' as const, id: '1' }] }],
    ['no password', { password: undefined }],
  ])('is refused for an account with %s, whose address the provider writes', async (_, fields) => {
    pool.put({ username: 'ada', ...fields });
    const answer = await ask(B);
    expect(answer).toMatchObject(refused(409, 'address-from-provider'));
    expect(answer.body['error']).toContain('Google or GitHub');
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
      identities: [{ provider: 'Google', id: '1' }],
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

    test('leaves the account its own, even if somebody types that meanwhile', async () => {
      expect(await lose(() => typed(A))).toMatchObject(refused(409, 'address-taken'));
      expect(addressOfAda()).toBe(A);
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

describe('a code', () => {
  test('changes the address, ends every session, and mails the earlier address', async () => {
    await ask(B);
    expect(await confirm(codeTo(B))).toEqual({ status: 200, body: { email: B, sessionsEnded: true } });
    expect(ada()).toMatchObject({ email: B, emailVerified: true });
    expect([...world.addresses.owners]).toEqual([[B, 'ada']]);
    expect(ada().sessionsEnded).toHaveLength(1);
    expect(mailsTo(A)).toMatchObject([{ name: 'email-changed' }]);
    expect(lastMailTo(A).text).toContain('on January 20, 2026 at 12:00 UTC');
    expect(lastMailTo(A).text).not.toContain(B);
  });

  test('is accepted with the spaces of a mail program, once', async () => {
    await ask(B);
    const code = codeTo(B);
    expect(await confirm(` ${code.slice(0, 3)} ${code.slice(3)} `)).toMatchObject({ status: 200 });
    expect(await confirm(code)).toMatchObject(refused(409, 'code-expired'));
  });

  test.each(['', '12345', '1234567', 'abcdef', 123_456])('refuses %j as malformed', async (code) => {
    await ask(B);
    expect(await confirm(code)).toMatchObject(refused(400, 'bad-request'));
  });

  test('is good for fifteen minutes', async () => {
    await ask(B);
    const code = codeTo(B);
    later(15 * MINUTE);
    expect(await confirm(code)).toMatchObject(refused(409, 'code-expired'));
    expect(addressOfAda()).toBe(A);
  });

  test('is void after five wrong ones', async () => {
    await ask(B);
    for (let count = 0; count < 5; count += 1) {
      expect(await confirm(wrongCodeTo(B))).toMatchObject(refused(403, 'wrong-code'));
    }
    expect(await confirm(codeTo(B))).toMatchObject(refused(409, 'code-expired'));
  });

  test('counts wrong ones that are sent at the same time', async () => {
    await ask(B);
    const wrong = wrongCodeTo(B);
    await Promise.all(Array.from({ length: 5 }, () => confirm(wrong)));
    const { pending } = (await world.addressChanges.read('ada'))!;
    expect(pending?.tries).toBe(5);
    expect(await confirm(codeTo(B))).toMatchObject({ body: { code: 'code-expired' } });
  });

  test('does not count if wrong ones were faster', async () => {
    await ask(B);
    const code = codeTo(B);
    const find = pool.find.bind(pool);
    vi.spyOn(pool, 'find').mockImplementationOnce(async (name) => {
      for (let count = 0; count < 5; count += 1) await confirm(wrongCodeTo(B));
      return find(name);
    });
    expect(await confirm(code)).toMatchObject(refused(409, 'code-expired'));
    expect(addressOfAda()).toBe(A);
    expect(mailsTo(A)).toEqual([]);
  });

  test('of an earlier mail is void once another was sent', async () => {
    await ask(B);
    const first = codeTo(B);
    await ask(C);
    if (first === codeTo(C)) return;
    expect(await confirm(first)).toMatchObject(refused(403, 'wrong-code'));
    expect(await confirm(codeTo(C))).toMatchObject({ status: 200, body: { email: C } });
  });

  test('without a request is refused', async () => {
    expect(await confirm('123456')).toMatchObject(refused(409, 'code-expired'));
    expect(world.addressChanges.items.size).toBe(0);
  });

  test('is refused once a provider is linked', async () => {
    await ask(B);
    ada().identities = [{ provider: 'Google', id: '1' }];
    expect(await confirm(codeTo(B))).toMatchObject({ body: { code: 'address-from-provider' } });
  });

  test('changes nothing if the earlier address cannot be told', async () => {
    await ask(B);
    const code = codeTo(B);
    mail.down = true;
    expect(await confirm(code)).toMatchObject(refused(503, 'mail-not-sent'));
    expect(addressOfAda()).toBe(A);
    expect([...world.addresses.owners]).toEqual([[A, 'ada']]);
    mail.down = false;
    await ask(B);
    expect(await confirm(codeTo(B))).toMatchObject({ status: 200 });
  });

  test('changes the address even if the sessions cannot be ended, and says so', async () => {
    await ask(B);
    vi.spyOn(world.sessionUser, 'endSessions').mockRejectedValueOnce(new Error('Cognito is out of reach.'));
    expect(await confirm(codeTo(B))).toEqual({ status: 200, body: { email: B, sessionsEnded: false } });
  });

  test('loses to an undo that ran meanwhile', async () => {
    const first = await change(B);
    await ask(C);
    beforeNext('setAddress', async () => {
      expect(await undo(first)).toMatchObject({ status: 200 });
    });
    expect(await confirm(codeTo(C))).toMatchObject(refused(409, 'code-expired'));
    expect(ada()).toMatchObject({ email: A, emailVerified: true });
    expect([...world.addresses.owners]).toEqual([[A, 'ada']]);
  });

  test('does not touch the pool after an undo that ran before', async () => {
    const first = await change(B);
    await ask(C);
    const send = mail.send.bind(mail);
    vi.spyOn(mail, 'send').mockImplementationOnce(async (...mailed) => {
      await undo(first);
      await send(...mailed);
    });
    const set = vi.spyOn(pool, 'setAddress');
    expect(await confirm(codeTo(C))).toMatchObject(refused(409, 'code-expired'));
    expect(set.mock.calls.map(([, email]) => email)).not.toContain(C);
    expect(addressOfAda()).toBe(A);
  });

  test.each([
    ['is tried again', 1, { email: A, emailVerified: true }],
    ['leaves an address that is not trusted', 3, { email: C, emailVerified: false }],
  ])('that loses to an undo, and cannot set its address back %s', async (_, failures, expected) => {
    const first = await change(B);
    await ask(C);
    const set = pool.setAddress.bind(pool);
    const spy = vi.spyOn(pool, 'setAddress');
    spy.mockImplementationOnce(async (username, email) => {
      await undo(first);
      const isSet = await set(username, email);
      for (let count = 0; count < failures; count += 1) {
        spy.mockRejectedValueOnce(new Error('TooManyRequestsException'));
      }
      return isSet;
    });
    expect((await confirm(codeTo(C))).status).toBe(failures === 1 ? 409 : 500);
    expect(ada()).toMatchObject(expected);
  });

  test('whose change Cognito makes without an answer is completed', async () => {
    await ask(B);
    afterNext('setAddress', () => {
      throw new Error('TimeoutError');
    });
    expect(await confirm(codeTo(B))).toEqual({ status: 200, body: { email: B, sessionsEnded: true } });
    expect([...world.addresses.owners]).toEqual([[B, 'ada']]);
  });

  test('whose change stays unknown leaves the link', async () => {
    await ask(B);
    const set = vi.spyOn(pool, 'setAddress').mockRejectedValue(new Error('TimeoutError'));
    expect(await confirm(codeTo(B))).toMatchObject({ status: 500 });
    set.mockRestore();
    expect(await undo(tokenTo(A))).toMatchObject({ body: { outcome: 'restored' } });
  });
});

describe('Stripe and the waitlist', () => {
  beforeEach(() => {
    world.billing.customers.set('cus_ada', 'ada');
    world.plans.put({ id: 'ada', billing_customer_id: 'cus_ada' });
    world.waitlist.entries.set(A, { email: A, name: 'Ada', created_at: new Date(start).toISOString() });
  });

  test('follow a change and its undo', async () => {
    const token = await change(B);
    expect(world.billing.emails.get('cus_ada')).toBe(B);
    expect([...world.waitlist.entries.keys()]).toEqual([B]);
    await undo(token);
    expect(world.billing.emails.get('cus_ada')).toBe(A);
    expect([...world.waitlist.entries.keys()]).toEqual([A]);
  });

  test('follow an undo that is repeated', async () => {
    const token = await change(B);
    vi.spyOn(world.plans, 'read').mockRejectedValueOnce(new Error('DynamoDB is out of reach.'));
    expect(await undo(token)).toMatchObject({ status: 500 });
    expect(addressOfAda()).toBe(A);
    expect(await undo(token)).toMatchObject({ status: 200, body: { outcome: 'restored' } });
    expect(world.billing.emails.get('cus_ada')).toBe(A);
    expect([...world.waitlist.entries.keys()]).toEqual([A]);
    expect(mailsTo(B).map(({ name }) => name)).toEqual(['email-code', 'email-change-undone']);
    expect(world.addressChanges.items.get('ada')).toMatchObject({ earlier: [], current: A });
    expect(world.addressChanges.items.get('ada')).not.toHaveProperty('replaced');
  });

  test('follow an undo that ends before the change has followed', async () => {
    await ask(B);
    vi.spyOn(world.sessionUser, 'endSessions').mockImplementationOnce(async () => {
      expect(await undo(tokenTo(A))).toMatchObject({ status: 200 });
    });
    await confirm(codeTo(B));
    expect(world.billing.emails.get('cus_ada')).toBe(A);
    expect([...world.waitlist.entries.keys()]).toEqual([A]);
    expect([...world.addresses.owners]).toEqual([[A, 'ada']]);
  });

  test('are left for later before the pool is changed, in case that nothing follows', async () => {
    await ask(B);
    let left: unknown;
    beforeNext('setAddress', () => void (left = [...world.tasks.items.values()]));
    await confirm(codeTo(B));
    expect(left).toMatchObject([
      { work: 'address', customer_id: 'cus_ada', user_id: 'ada', due: '2026-01-20T13:00:00.000Z' },
    ]);
  });

  test('follow even if the present address cannot be read', async () => {
    await ask(B);
    vi.spyOn(world.sessionUser, 'endSessions').mockImplementationOnce(async () => {
      vi.spyOn(world.addressChanges, 'read').mockRejectedValueOnce(new Error('DynamoDB is out of reach.'));
    });
    expect(await confirm(codeTo(B))).toMatchObject({ status: 200 });
    expect(world.billing.emails.get('cus_ada')).toBe(B);
    expect(log.text()).toContain('"step":"current"');
  });

  test('do not keep the address from being changed, and Stripe is told later', async () => {
    world.billing.down = true;
    vi.spyOn(world.waitlist, 'move').mockRejectedValue(new Error('DynamoDB is out of reach.'));
    vi.spyOn(world.addresses, 'release').mockRejectedValue(new Error('DynamoDB is out of reach.'));
    await change(B);
    expect(addressOfAda()).toBe(B);
    expect([...world.tasks.items.values()]).toMatchObject([
      { work: 'address', customer_id: 'cus_ada', user_id: 'ada' },
    ]);
  });

  test('that cannot even be left for later do not fail the call', async () => {
    world.billing.down = true;
    vi.spyOn(world.tasks, 'remember').mockRejectedValue(new Error('DynamoDB is out of reach.'));
    await change(B);
    expect(log.text()).toContain('"step":"customer"');
  });
});

describe('the link in the mail to the earlier address', () => {
  test('sets the address back and takes the account from the user who has it', async () => {
    const token = await change(B);
    // The thief has linked a provider that has the new address, and waits for another.
    ada().identities = [{ provider: 'Google', id: '1' }];
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

  test('cancels a change that waits for its code', async () => {
    const token = await change(B);
    await ask(C);
    await undo(token);
    expect(await confirm(codeTo(C))).toMatchObject(refused(409, 'code-expired'));
    expect(addressOfAda()).toBe(A);
  });

  test('works after the address was changed again, and voids the links to later addresses', async () => {
    const first = await change(B);
    const second = await change(C);
    expect(await undo(first)).toMatchObject({ status: 200 });
    expect(addressOfAda()).toBe(A);
    expect(await undo(second)).toMatchObject(refused(410, 'undo-not-possible'));
    expect(addressOfAda()).toBe(A);
  });

  test('works after the link to a later address was used', async () => {
    const first = await change(B);
    const second = await change(C);
    expect(await undo(second)).toMatchObject({ status: 200 });
    expect(addressOfAda()).toBe(B);
    expect(await undo(first)).toMatchObject({ status: 200 });
    expect(addressOfAda()).toBe(A);
  });

  test('works once, and a later change has its own link', async () => {
    const first = await change(B);
    await undo(first);
    expect(await undo(first)).toMatchObject(refused(410, 'undo-not-possible'));
    const next = await change(C);
    expect(await undo(first)).toMatchObject({ status: 410 });
    expect(addressOfAda()).toBe(C);
    expect(await undo(next)).toMatchObject({ status: 200 });
  });

  test('works for seven days', async () => {
    const token = await change(B);
    later(7 * DAY - 1);
    expect(world.addressChanges.items.get('ada')!.expires_at).toBeGreaterThanOrEqual(
      (start + 7 * DAY) / 1000,
    );
    const stored = structuredClone(world.addressChanges.items.get('ada')!);
    expect(await undo(token)).toMatchObject({ status: 200 });
    world.addressChanges.items.set('ada', stored);
    later(1);
    expect(await undo(token)).toMatchObject({ status: 410 });
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

  test('of another account does nothing', async () => {
    const token = await change(B);
    pool.put({ username: 'eve', email: 'eve@example.com' });
    expect(await undo(token.replace('ada.', 'eve.'))).toMatchObject({ status: 410 });
  });

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

  test.each(['setAddress', 'sendReset'] as const)(
    'unlinks a provider that is linked at its call of %s',
    async (name) => {
      const token = await change(B);
      beforeNext(name, () => (ada().identities = [{ provider: 'Google', id: '666' }]));
      expect(await undo(token)).toMatchObject({ status: 200, body: { outcome: 'restored' } });
      expect(ada().identities).toEqual([]);
    },
  );

  test('enables an account only when nothing is linked to it', async () => {
    const token = await change(B);
    afterNext('setAddress', () => (ada().identities = [{ provider: 'Google', id: '666' }]));
    let linked: unknown;
    beforeNext('enable', () => (linked = ada().identities));
    await undo(token);
    expect(linked).toEqual([]);
  });

  test.each(['setAddress', 'sendReset', 'enable'] as const)(
    'keeps the address from being changed again before its call of %s',
    async (name) => {
      const token = await change(B);
      await ask(C);
      const profile = await world.sessionUser.profile('ada');
      beforeNext(name, async () => {
        // The request was accepted before the account was disabled.
        vi.spyOn(world.sessionUser, 'profile').mockResolvedValueOnce(profile);
        expect(await confirm(codeTo(C))).toMatchObject(refused(409, 'code-expired'));
      });
      expect(await undo(token)).toMatchObject({ status: 200, body: { outcome: 'restored' } });
      expect(addressOfAda()).toBe(A);
      expect([...world.addresses.owners]).toEqual([[A, 'ada']]);
    },
  );

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

  test('is not refused because another user types the address meanwhile', async () => {
    const token = await change(B);
    beforeNext('setAddress', () => typed(A));
    expect(await undo(token)).toMatchObject({ status: 200, body: { outcome: 'restored' } });
    expect(addressOfAda()).toBe(A);
  });

  test('removes an account that only typed the address since', async () => {
    const token = await change(B);
    pool.put({ username: 'stranger', email: A, status: 'UNCONFIRMED', emailVerified: false });
    expect(await undo(token)).toMatchObject({ body: { outcome: 'restored' } });
    expect(pool.accounts.has('stranger')).toBe(false);
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
