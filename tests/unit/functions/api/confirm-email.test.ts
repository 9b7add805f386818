import { beforeEach, describe, expect, test, vi } from 'vitest';
import { refused } from '../../../fixtures/fakes/http-event.ts';
import { start, A, B, C, addressActs } from './address-acts.ts';

const acts = addressActs();
const {
  log,
  ask,
  confirm,
  undo,
  mailsTo,
  lastMailTo,
  codeTo,
  wrongCodeTo,
  tokenTo,
  beforeNext,
  afterNext,
  ada,
  addressOfAda,
  change,
} = acts;
let { world, mail, pool } = acts.current;
beforeEach(() => void ({ world, mail, pool } = acts.current));

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
    ada().identities = [{ provider: 'google', id: '1' }];
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
    world.planTable.put({ id: 'ada', billing_customer_id: 'cus_ada' });
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
    vi.spyOn(world.planTable, 'read').mockRejectedValueOnce(new Error('DynamoDB is out of reach.'));
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
    vi.spyOn(world.tasks, 'enqueue').mockRejectedValue(new Error('DynamoDB is out of reach.'));
    await change(B);
    expect(log.text()).toContain('"step":"customer"');
  });
});
