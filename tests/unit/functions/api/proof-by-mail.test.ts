import { describe, expect, test, vi } from 'vitest';
import { DAILY_MAILS, mailPurposes } from '../../../../schemas/product/mail-limits.ts';
import { mailboxOf } from '../../../../schemas/shapes/mailbox.ts';
import { browserId } from '../../../../functions/accounts/browser-cookie.ts';
import { handler as mailLink } from '../../../../functions/api/mail-link.ts';
import { removalMark } from '../../../../functions/accounts/address-ownership.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { browserThatSignsUp } from '../../../fixtures/worlds/account.ts';
import {
  A,
  addresses,
  beginWithAccount,
  invalid,
  later,
  limits,
  NEW,
  ofStranger,
  owner,
  password,
  planTable,
  pool,
  proofs,
  reset,
  stranger,
  world,
} from './account-acts.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const name = 'Ada Lovelace';
const account = { name, password };
beginWithAccount();

const link = (email = NEW) => world.tokenTo(email, 'confirmation');
const confirm = (also: object = { account }, token = link()) => owner.confirm(NEW, token, also);
const done = { status: 200, body: { ticket: expect.any(String) } };

describe('the link of a sign-up', () => {
  test('keeps the password in the browser that signed up', async () => {
    const hers = browserThatSignsUp();
    await owner.signUp(NEW, password, hers.attribute.Value);
    expect(await confirm({ browser: hers.metadata['browser'] })).toEqual(done);
    expect(await owner.signIn(NEW, password)).toBeDefined();
    expect(addresses.owners.get(NEW)).toBe('sub-1');
    expect(planTable.rows.get('sub-1')?.plan).toBe('free');
  });

  test.each([
    ['no secret', {}],
    ['another browser’s secret', { browser: browserThatSignsUp().metadata['browser'] }],
  ])(
    'asks for name and password in a browser with %s, which replace those of the sign-up',
    async (_, also) => {
      await stranger.signUp(NEW, ofStranger, browserThatSignsUp().attribute.Value);
      expect(await confirm(also)).toMatchObject(refused(409, 'password-needed'));
      expect(await confirm({ ...also, account: { name: ' Ada Lovelace ', password } })).toEqual(done);
      expect(pool.of('sub-1')).toMatchObject({ status: 'CONFIRMED', emailVerified: true, name, password });
      expect(addresses.owners.get(NEW)).toBe('sub-1');
      expect(planTable.rows.has('sub-1')).toBe(true);
    },
  );

  test('signs in again in the browser that signed up alone, after the code too', async () => {
    const hers = browserThatSignsUp();
    const username = await owner.signUp(NEW, password, hers.attribute.Value);
    await owner.confirmByCode(username);
    for (const also of [{}, { account }]) {
      expect(await confirm(also)).toMatchObject(refused(409, 'already-confirmed'));
    }
    const ofHers = [1, 2].map(() => confirm({ browser: hers.metadata['browser'] }));
    expect(await Promise.all(ofHers)).toEqual([done, done]);
  });

  test('pressed eight times at once with a password each signs in one of them', async () => {
    await stranger.signUp(NEW, ofStranger);
    const token = link();
    const passwords = Array.from({ length: 8 }, (_, index) => `password ${index}`);
    const answers = await Promise.all(
      passwords.map((each) => world.actor().confirm(NEW, token, { account: { name, password: each } })),
    );
    const won = answers.findIndex(({ status }) => status === 200);
    expect(answers.toSpliced(won, 1)).toEqual(Array(7).fill(expect.objectContaining({ status: 409 })));
    expect(pool.of('sub-1').password).toBe(passwords[won]);
  });

  test('finishes a confirmation that stopped halfway, with the password of its holder', async () => {
    const hers = browserThatSignsUp();
    const token = await proofs.create({ purpose: 'sign-up', email: NEW }, new Date());
    pool.put({ username: 'halfway', email: NEW, password: ofStranger, browserHash: hers.attribute.Value });
    expect(await confirm({}, token)).toMatchObject(refused(409, 'password-needed'));
    expect(planTable.rows.has('halfway')).toBe(false);
    expect(await confirm({ account }, token)).toEqual(done);
    expect(await owner.signIn(NEW, ofStranger)).toBeUndefined();
    expect(addresses.owners.get(NEW)).toBe('halfway');

    await pool.remove('halfway');
    pool.put({ username: 'hers', email: NEW, browserHash: hers.attribute.Value });
    expect(await confirm({ browser: hers.metadata['browser'] }, token)).toEqual(done);
    expect(planTable.rows.has('hers')).toBe(true);
  });

  test('removes an account that a new sign-up is about to remove, and works again', async () => {
    await owner.signUp(NEW, password);
    addresses.owners.set(NEW, removalMark('sub-1'));
    expect(await confirm()).toMatchObject(refused(503, 'busy'));
    expect(await confirm()).toEqual(done);
    expect(world.holdersOf(NEW)).toHaveLength(1);
  });

  test('proves the address: it confirms whatever account waits now, and makes one if none does', async () => {
    await owner.signUp(NEW, password);
    const first = link();
    await stranger.signUp(NEW, ofStranger);
    expect(await confirm({ account }, first)).toEqual(done);
    expect(await owner.signIn(NEW, password)).toBeDefined();
    expect(await owner.signIn(NEW, ofStranger)).toBeUndefined();

    await pool.remove('sub-2');
    addresses.owners.delete(NEW);
    expect(await confirm({}, first)).toMatchObject(refused(409, 'password-needed'));
    expect(await confirm({ account }, first)).toEqual(done);
    expect(world.holdersOf(NEW)).toHaveLength(1);
    expect(await owner.signIn(NEW, password)).toBeDefined();
  });

  test('opens no account that is blocked', async () => {
    const username = await owner.signUp(NEW, password);
    Object.assign(pool.of(username), { enabled: false });
    expect(await confirm()).toMatchObject(invalid);
  });

  test('deletes the account that it confirms if another proves the address at that moment', async () => {
    await owner.signUp(NEW, password);
    const setPassword = pool.setPassword.bind(pool);
    vi.spyOn(pool, 'setPassword').mockImplementationOnce(async (...given) => {
      await setPassword(...given);
      pool.put({ username: 'google_9', email: NEW, status: 'EXTERNAL_PROVIDER' });
      addresses.owners.set(NEW, 'google_9');
    });
    expect(await confirm()).toMatchObject(refused(409, 'address-taken'));
    expect(world.holdersOf(NEW)).toEqual(['google_9']);
  });

  test('ends after a day, and works for its own address and purpose alone', async () => {
    await owner.signUp(NEW, password);
    expect(await owner.confirm(A, link(), {})).toMatchObject(invalid);
    expect(await owner.resetPassword(link(), password)).toMatchObject(invalid);
    expect(await confirm({}, 'x'.repeat(43))).toMatchObject(invalid);
    later(DAY);
    expect(await confirm()).toMatchObject(invalid);
  });

  test.each([
    ['weak-password', { name, password: 'short' }],
    ['name-missing', { name: ' ', password }],
  ] as const)('refuses as %s', async (code, given) => {
    await owner.signUp(NEW, password);
    expect(await confirm({ account: given })).toMatchObject(refused(400, code));
  });
});

describe('mails that anybody can cause', () => {
  test('are counted apart for the owner’s own browser', async () => {
    const cookie = 'c'.repeat(43);
    while (await limits.take('reset', A, new Date()));
    const { browsers } = world.parts.appSessions;
    const at = new Date().toISOString();
    const used = { signed_in_at: at, used_at: at, expires_at: Math.floor(Date.now() / 1000) + 3600 };
    const browser = { user_id: 'ada', id: browserId(cookie), kind: 'Firefox on Windows', session: 's' };
    await browsers.add({ ...browser, ...used });
    const parts = { ...world.parts, browsers };
    const ask = (cookies: string[]) =>
      call(mailLink.with(parts), { body: { email: A, purpose: 'reset' }, cookies });
    await ask([]);
    await ask([`__Host-browser=${'d'.repeat(43)}`]);
    expect(world.mailsTo(A)).toEqual([]);
    for (let times = 0; times <= DAILY_MAILS; times += 1) await ask([`__Host-browser=${cookie}`]);
    expect(world.mailsTo(A)).toHaveLength(DAILY_MAILS);
  });
});

/** Everything that a stranger can do to an address, as often as it is allowed. */
const strangersActs: Record<string, () => Promise<unknown>> = {
  'signs up': () => stranger.signUp(NEW, ofStranger).catch(() => {}),
  'signs up for an address with an account': () => stranger.signUp(A, ofStranger).catch(() => {}),
  'asks for another mail': async () => {
    const waiting = await pool.find(NEW);
    if (waiting) await stranger.resend(waiting.username).catch(() => {});
  },
  'signs up with other spellings, and asks for their links': async () => {
    const atGoogle = ['grace@gmail.com', 'g.race@gmail.com', 'gr.ace+1@googlemail.com'];
    for (const email of ['new+1@example.com', 'ada+1@example.com', 'n.ew@example.com', ...atGoogle]) {
      await stranger.signUp(email, ofStranger).catch(() => {});
      await stranger.mailLink(email);
    }
  },
  'asks for links': async () => {
    for (const email of [A, NEW]) {
      await stranger.mailLink(email);
      await stranger.mailLink(email, 'end-contract');
    }
  },
  'guesses links': async () => {
    for (const email of [A, NEW]) await stranger.confirm(email, 'g'.repeat(43), {});
    await stranger.resetPassword('g'.repeat(43), ofStranger);
    await stranger.decide('g'.repeat(43), 'stop');
  },
  'asks for the address for accounts of its own': async () => {
    for (const username of ['mallory', 'mallet', 'oscar']) {
      pool.put({ username, email: `${username}@example.com` });
      const session = pool.signIn(username);
      for (const email of [A, NEW, 'n.ew@gmail.com']) await stranger.changeEmail(session, email);
    }
  },
};

/** Each resolves with whether the owner has succeeded. */
const ownersNeeds: Record<string, () => Promise<boolean>> = {
  'signs up': async () => {
    await owner.signUp(NEW, password).catch(() => {});
    await confirm();
    const signsIn = (secret: string) => owner.signIn(NEW, secret);
    return (await signsIn(password)) !== undefined && (await signsIn(ofStranger)) === undefined;
  },
  'signs up with a tag, by any link that reaches the mailbox': async () => {
    const tagged = 'new+shop@example.com';
    await owner.signUp(tagged, password).catch(() => {});
    const reaching = world.parts.mail.sent
      .map(({ to }) => to)
      .filter((to) => mailboxOf(to) === 'new+@example.com');
    await owner.confirm(tagged, link(reaching.at(-1)), { account });
    return (await owner.signIn(tagged, password)) !== undefined;
  },
  'resets the password': async () => {
    await reset();
    return (await owner.signIn(A, password)) !== undefined;
  },
  'ends the contract': async () => {
    await owner.mailLink(A, 'end-contract');
    const token = world.tokenTo(A, 'end-contract');
    return (await proofs.read(token, 'end-contract', new Date())) !== undefined;
  },
  'changes the address': async () => {
    const other = 'ada@elsewhere.example';
    await owner.changeEmail(String(await owner.signIn(A, 'correct horse')), other);
    await owner.decide(world.tokenTo(A, 'email-change-requested'), 'approve');
    await owner.decide(world.tokenTo(other, 'email-proof'), 'prove');
    return world.ada?.email === other;
  },
};

describe.each(Object.keys(strangersActs))('although a stranger %s all day,', (act) => {
  test.each(Object.keys(ownersNeeds))('the owner %s, at any hour', async (need) => {
    for (let times = 0; times < 2 * DAILY_MAILS; times += 1) await strangersActs[act]?.();
    later(11 * HOUR);
    expect(await ownersNeeds[need]?.()).toBe(true);
  });
});

test('although a stranger does it all, in any order, the owner signs up, and no mailbox gets more than its bound', async () => {
  for (let times = 0; times < 2 * DAILY_MAILS; times += 1) {
    for (const act of Object.values(strangersActs)) await act();
  }
  for (const [mailbox, mails] of Map.groupBy(world.parts.mail.sent, ({ to }) => mailboxOf(to))) {
    const purposes = Object.values(mailPurposes).filter(
      ({ countedBy }) => countedBy === 'mailbox' || mailbox === A,
    );
    expect(mails.length).toBeLessThanOrEqual(purposes.length * DAILY_MAILS);
  }
  expect(await ownersNeeds['signs up']?.()).toBe(true);
});

test.each([
  ['another spelling without a tag', 'n.ew@example.com'],
  ['a tagged spelling, where tags may be mailboxes of their own', 'new+1@example.com'],
  ['another domain', 'new@example.org'],
])('the link to %s confirms no sign-up', async (_, email) => {
  await owner.signUp(NEW, password);
  const token = await proofs.create({ purpose: 'sign-up', email }, new Date());
  expect(await confirm({ account }, token)).toMatchObject(invalid);
});

/** The acts of a thief with a session and the password, and the mail about each. */
const thiefsActs: Record<string, { mail: string; act: (session: string) => Promise<unknown> }> = {
  'changes the password': {
    mail: 'password-changed',
    act: (session) => stranger.changePassword(session, 'correct horse', ofStranger),
  },
  'links a provider': { mail: 'provider-linked', act: () => stranger.tokenWith('google_9', A) },
  'disconnects a provider': {
    mail: 'provider-disconnected',
    act: async (session) => {
      Object.assign(pool.of('ada'), { identities: [{ provider: 'google', id: '7' }] });
      await stranger.disconnect(session);
    },
  },
  'asks for another address': {
    mail: 'email-change-requested',
    act: (session) => stranger.changeEmail(session, 'thief@evil.example'),
  },
};

test.each(Object.entries(thiefsActs))(
  'a thief who %s is shut out with one link in the owner’s mail',
  async (_, { mail, act }) => {
    const session = pool.signIn('ada');
    await act(session);
    const token = world.tokenTo(A, mail);
    if (mail === 'email-change-requested') await owner.decide(token, 'stop');
    const way = mail === 'email-change-requested' ? world.tokenTo(A, 'reset') : token;
    expect(await owner.resetPassword(way, password)).toMatchObject({ status: 200 });
    expect(world.isLive(session)).toBe(false);
    expect(await stranger.signIn(A, ofStranger)).toBeUndefined();
    expect(world.ada?.identities.filter(({ id }) => id === '9')).toEqual([]);
    expect(world.change?.waiting).toBeUndefined();
    expect(await owner.signIn(A, password)).toBeDefined();
  },
);
