import { beforeEach, describe, expect, test, vi } from 'vitest';
import { refused } from '../../../fixtures/fakes/http-event.ts';
import {
  A,
  addresses,
  beginWithAccount,
  invalid,
  later,
  mail,
  owner,
  password,
  pool,
  world,
} from './account-acts.ts';

const DAY = 86_400_000;
const B = 'ada@new.example';
const C = 'ada@third.example';

const log = beginWithAccount();
let session: string;
beforeEach(() => void (session = pool.signIn('ada')));

const ask = (to: string | null = B) => owner.changeEmail(session, to);
const prove = () => owner.decide(world.tokenTo(B, 'email-proof'), 'prove');
const approve = () => owner.decide(world.tokenTo(A, 'email-change-requested'), 'approve');
const stop = () => owner.decide(world.tokenTo(A, 'email-change-requested'), 'stop');
const namesTo = (address: string) => world.mailsTo(address).map(({ name }) => name);
const waitingUntil = '2026-01-27T12:00:00.000Z';
const waiting = { email: B, changesAt: waitingUntil, isProved: false, isApproved: false };

describe('asking for another address', () => {
  test('mails a link to both mailboxes and changes nothing', async () => {
    expect(await ask(' Ada@NEW.example ')).toEqual({ status: 200, body: { waiting } });
    expect(namesTo(B)).toEqual(['email-proof']);
    expect(namesTo(A)).toEqual(['email-change-requested']);
    expect(world.mailsTo(A)[0]?.text).not.toContain(B);
    expect(world.ada?.email).toBe(A);
    expect([...addresses.owners]).toEqual([[A, 'ada']]);
  });

  test('stores no token, and logs neither token nor address', async () => {
    await ask();
    const tokens = [A, B].flatMap((address) => world.linksTo(address).map(({ token }) => token));
    const stored = JSON.stringify([...world.parts.proofs.items.values(), world.change]);
    for (const token of tokens) expect(`${stored}${log.text()}`).not.toContain(token);
    expect(log.text()).not.toContain('@');
  });

  test('needs a sign-in of the last ten minutes', async () => {
    later(601_000);
    expect(await ask()).toMatchObject({ status: 200 });
    vi.spyOn(pool, 'sessionOf').mockReturnValue({ username: 'ada', beganAt: new Date(0) });
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now - 600_000);
    expect(await ask(C)).toMatchObject(refused(403, 'sign-in-again'));
    vi.restoreAllMocks();
  });

  test.each([
    ['a linked provider', { identities: [{ provider: 'google' as const, id: '1' }] }],
    ['no password', { username: 'google_1', password: undefined }],
  ])('is refused for an account with %s, whose address the provider writes', async (_, fields) => {
    Object.assign(pool.of('ada'), fields);
    expect(await ask()).toMatchObject(refused(409, 'address-from-provider'));
    expect(mail.sent).toEqual([]);
  });

  test('is refused while a provider is being linked', async () => {
    const linked = [{ provider: 'google' as const, id: '1' }];
    world.parts.addressChanges.items.set('ada', { id: 'ada', version: 1, linked });
    expect(await ask()).toMatchObject(refused(409, 'address-from-provider'));
    expect(mail.sent).toEqual([]);
  });

  test('for the present address mails it again while its mail bounces, and the link ends that', async () => {
    mail.suppressed.add(A);
    await world.parts.bounces.note('ada', A, new Date());
    expect(await ask('ADA@example.com')).toEqual({ status: 200, body: { waiting: null } });
    expect(mail.suppressed.has(A)).toBe(false);
    expect(namesTo(A)).toEqual(['email-proof']);
    const link = world.tokenTo(A, 'email-proof');
    for (let times = 0; times < 2; times += 1) {
      expect((await owner.decide(link, 'prove')).body).toMatchObject({ state: 'reachable' });
      expect(world.parts.planTable.rows.get('ada')?.mail_bounced_at).toBeUndefined();
    }
    expect(await owner.decide(link, 'approve')).toMatchObject(invalid);
  });

  test('is refused for the present address', async () => {
    expect(await ask('ADA@example.com')).toMatchObject(refused(409, 'same-address'));
  });

  test.each(['', 'ada', 'ada@example', 'ada@exa mple.com', `${'a'.repeat(120)}@x.example`, 'ä@example.com'])(
    'refuses %j as malformed',
    async (address) => {
      expect(await ask(address)).toMatchObject(refused(400, 'bad-request'));
      expect(mail.sent).toEqual([]);
    },
  );

  test('works ten times a day, also for addresses whose mail bounces, and says of no more', async () => {
    const isSuppressed = vi.spyOn(mail, 'isSuppressed');
    mail.suppressed.add(B);
    for (let count = 0; count < 10; count += 1) {
      expect(await ask()).toMatchObject(refused(409, 'undeliverable-address'));
    }
    expect(await ask(C)).toMatchObject(refused(429, 'mails-spent'));
    await world.parts.bounces.note('ada', A, new Date());
    expect(await ask(A)).toMatchObject(refused(429, 'mails-spent'));
    expect(isSuppressed).toHaveBeenCalledTimes(10);
    expect(mail.sent).toEqual([]);
    later(DAY);
    expect(await ask(C)).toMatchObject({ status: 200 });
  });

  test('is forgotten if a mail cannot be sent', async () => {
    mail.down = true;
    expect(await ask()).toMatchObject(refused(503, 'mail-not-sent'));
    expect(world.change?.waiting).toBeUndefined();
  });
});

describe('the address', () => {
  const expectChanged = () => {
    expect(world.ada).toMatchObject({ email: B, emailVerified: true });
    expect([...addresses.owners]).toEqual([[B, 'ada']]);
    expect(world.change?.waiting).toBeUndefined();
    expect([namesTo(A).at(-1), namesTo(B).at(-1)]).toEqual(['email-changed', 'email-changed']);
  };

  test('changes once both mailboxes have agreed, in any order, and sessions live on', async () => {
    await ask();
    const answer = { state: 'waiting', changesAt: waitingUntil, isProved: false };
    expect((await approve()).body).toEqual(answer);
    expect(world.parts.tasks.items.get('address-change#ada')?.due).toBe(waitingUntil);
    expect((await prove()).body).toEqual({ state: 'changed', changesAt: null, isProved: true });
    expectChanged();
    expect(world.isLive(session)).toBe(true);
    session = pool.signIn('ada');
    // And back.
    await ask(A);
    await owner.decide(world.tokenTo(A, 'email-proof'), 'prove');
    expect(world.ada?.email).toBe(B);
    await owner.decide(world.tokenTo(B, 'email-change-requested'), 'approve');
    expect(world.ada?.email).toBe(A);
  });

  test('changes after seven days without a word from the old mailbox, if the new one is proved', async () => {
    await ask();
    await prove();
    later(7 * DAY - 1000);
    await owner.runTasks();
    expect(world.ada?.email).toBe(A);
    later(1000);
    await owner.runTasks();
    expectChanged();
  });

  test('stays if the new one was never proved, and the request is forgotten after seven days', async () => {
    await ask();
    await approve();
    later(7 * DAY);
    await owner.runTasks();
    expect(world.ada?.email).toBe(A);
    expect(world.change?.waiting).toBeUndefined();
    expect(world.parts.tasks.items.size).toBe(0);
  });

  test('moves the waitlist entry and reaches Stripe, at once or by a task', async () => {
    const { waitlist, billing, planTable, tasks } = world.parts;
    await waitlist.add({ email: A, name: 'Ada', created_at: new Date().toISOString() });
    planTable.put({ id: 'ada', billing_customer_id: 'cus_ada' });
    vi.spyOn(billing, 'setCustomerEmail').mockRejectedValueOnce(new Error('Stripe is down'));
    await ask();
    await approve();
    await prove();
    expect([...waitlist.entries.keys()]).toEqual([B]);
    expect([...tasks.items.keys()]).toContain('address#cus_ada');
  });

  test('is taken back by its owner, or replaced by a newer request', async () => {
    await ask();
    const first = world.tokenTo(B, 'email-proof');
    await ask(C);
    expect(await owner.decide(first, 'prove')).toMatchObject(invalid);
    expect(await ask(null)).toEqual({ status: 200, body: { waiting: null } });
    const newest = world.tokenTo(C, 'email-proof');
    expect(await owner.decide(newest, 'prove')).toMatchObject(invalid);
    expect(world.ada?.email).toBe(A);
  });

  test('has links that say the same when they are pressed again', async () => {
    await ask();
    await prove();
    expect((await prove()).body).toMatchObject({ state: 'waiting', isProved: true });
    await approve();
    expect((await approve()).body).toMatchObject({ state: 'changed' });
    expect((await prove()).body).toMatchObject({ state: 'changed' });
    expect(await stop()).toMatchObject(invalid);
  });

  test('stays after a stop, which ends every session and mails a link for a new password', async () => {
    await ask();
    await prove();
    expect((await ask(C)).status).toBe(200);
    // The first mail's link stops the newer request too: whoever asked asks again.
    const [{ token } = { token: '' }] = world.linksTo(A);
    later(1000);
    const stopped = { state: 'stopped', changesAt: null, isProved: false };
    expect((await owner.decide(token, 'stop')).body).toEqual(stopped);
    expect(world.change?.declined).toBe(C);
    expect(await owner.decide(token, 'stop')).toMatchObject(invalid);
    expect(namesTo(A).filter((name) => name === 'reset')).toHaveLength(1);
    expect(world.change?.waiting).toBeUndefined();
    expect(world.isLive(session)).toBe(false);
    const reset = await owner.resetPassword(world.tokenTo(A, 'reset'), password);
    expect(reset.body).toMatchObject({ email: A });
    expect(await owner.signIn(A, password)).toBeDefined();
    expect(await prove()).toMatchObject(invalid);
  });

  test('works with links of its own kind alone', async () => {
    await ask();
    const wrong = [
      owner.decide(world.tokenTo(A, 'email-change-requested'), 'prove'),
      owner.decide(world.tokenTo(B, 'email-proof'), 'approve'),
      owner.decide(world.tokenTo(B, 'email-proof'), 'stop'),
      owner.resetPassword(world.tokenTo(A, 'email-change-requested'), password),
      owner.decide('x'.repeat(43), 'stop'),
    ];
    for (const answer of wrong) expect(await answer).toMatchObject(invalid);
  });

  test.each([
    ['signed up', { username: 'bob' }],
    ['came with a provider', { username: 'google_1', status: 'EXTERNAL_PROVIDER' }],
  ])('whose owner %s meanwhile stays with that account, and both mailboxes are told', async (_, other) => {
    await ask();
    await approve();
    pool.put({ ...other, email: B });
    if (other.username !== 'bob') addresses.owners.set(B, other.username);
    expect(await prove()).toMatchObject(refused(409, 'address-taken'));
    expect(world.ada?.email).toBe(A);
    expect(addresses.owners.get(A)).toBe('ada');
    expect([namesTo(A).at(-1), namesTo(B).at(-1)]).toEqual(['email-not-changed', 'email-not-changed']);
  });

  test('of an account that was never confirmed is free, and that account goes', async () => {
    await ask();
    await approve();
    pool.put({ username: 'stranger', email: B, status: 'UNCONFIRMED' });
    expect((await prove()).body).toMatchObject({ state: 'changed' });
    expect(pool.accounts.has('stranger')).toBe(false);
  });

  test('that a provider’s account proves while the pool is changed stays with it', async () => {
    await ask();
    await approve();
    const setAddress = pool.setAddress.bind(pool);
    vi.spyOn(pool, 'setAddress').mockImplementationOnce(async (...given) => {
      pool.put({ username: 'google_1', email: B, status: 'EXTERNAL_PROVIDER' });
      addresses.owners.set(B, 'google_1');
      return setAddress(...given);
    });
    expect(await prove()).toMatchObject(refused(409, 'address-taken'));
    expect(world.ada?.email).toBe(A);
    expect([...addresses.owners]).toEqual([
      [A, 'ada'],
      [B, 'google_1'],
    ]);
  });

  test('is changed by a task if the request that changes it stops halfway', async () => {
    await ask();
    await approve();
    vi.spyOn(pool, 'setAddress').mockRejectedValue(new Error('Cognito is down'));
    expect((await prove()).status).toBe(500);
    expect(await stop()).toMatchObject(refused(503, 'busy'));
    expect(await ask(C)).toMatchObject(refused(503, 'busy'));
    expect(world.parts.tasks.items.get('address-change#ada')?.due).toBe('2026-01-20T13:00:00.000Z');
    vi.restoreAllMocks();
    vi.spyOn(console, 'info').mockImplementation(() => {});
    later(3_600_000);
    await owner.runTasks();
    expectChanged();
  });
});
