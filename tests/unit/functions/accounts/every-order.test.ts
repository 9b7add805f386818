import { expect, test, vi } from 'vitest';
import { DAILY_MAILS } from '../../../../schemas/product/mail-limits.ts';
import { MAIL_AGAIN } from '../../../../schemas/trigger-refusals.ts';
import { followProviderAddress } from '../../../../functions/accounts/follow-provider-address.ts';
import { isSessionEnded } from '../../../../functions/domain/account-moment.ts';
import { type AccountState, nameOfState, restore, saved } from '../../../fixtures/fakes/account-states.ts';
import { AccountWorld } from '../../../fixtures/fakes/account-world.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';
import { browserThatSignsUp } from '../../../fixtures/worlds/account.ts';

/*
 * All orders of what an owner, a stranger and a thief do around one mailbox, by the product's own handlers
 * and triggers over tables in memory. States from which the same can follow are visited once.
 */

const DAY = 86_400_000;
/** The owner's mailbox, the mailbox of the stranger and thief, and one that the owner may move to. */
const [A, M, B] = ['ada@example.com', 'mallory@evil.example', 'ada@new.example'];
const PASSWORDS = {
  owner: 'correct horse',
  reset: 'battery staple',
  stranger: 'of a stranger',
  thief: 'of a thief',
};
/** Acts in a row. */
const DEPTH = Number(process.env['SELFSAME_ORDERS_DEPTH'] ?? 3);

watchLog();
const start = stopClock('2026-01-20T12:00:00Z');
/** The browser in which the owner signs up. */
const hers = browserThatSignsUp();

type Actor = ReturnType<AccountWorld['actor']>;
type Answer = { status: number | undefined; body?: unknown } | void;

/** The knowledge of the actors, beside the product's state. */
interface Known {
  /** The password of the account that the owner chose last. */
  password: string;
  /** The links to the owner's mailbox that a thief has seen: all from before the owner's last reset. */
  seen: string[];
  /** Tickets that sign in, and those from before the account was deleted or taken back. */
  tickets: string[];
  ended: string[];
  /** Whether a complaint about mail to the mailbox counts. */
  isComplained: boolean;
  /** Sessions of the thief. */
  sessions: string[];
  /** Whether the owner has reset the password, and pressed no unasked link since. */
  isTakenBack: boolean;
  /** Whether the owner asked for B, and both of the owner's mailboxes may have agreed. */
  mayHaveB: boolean;
}

const copied = (known: Known): Known => ({
  ...known,
  tickets: [...known.tickets],
  ended: [...known.ended],
  seen: [...known.seen],
  sessions: [...known.sessions],
});

interface Visit {
  world: AccountWorld;
  actor: Actor;
  known: Known;
}

const linkTo = ({ world }: Visit, mailbox: string, ...mails: string[]): string =>
  world.linksTo(mailbox).findLast(({ mail }) => mails.includes(mail))?.token ?? 'x'.repeat(43);

/** A session of the thief, who signs in where a password fits. */
async function thiefSession({ world, actor, known }: Visit): Promise<string> {
  const email = world.ada?.email ?? A;
  for (const password of [PASSWORDS.owner, PASSWORDS.stranger, PASSWORDS.thief]) {
    const token = await actor.signIn(email, password);
    if (token !== undefined) known.sessions.push(token);
  }
  return known.sessions.at(-1) ?? 'no session';
}

const ownerSession = async ({ world, actor, known }: Visit): Promise<string> =>
  (await actor.signIn(world.ada?.email ?? A, known.password)) ?? 'no session';

/** A sign-in with a provider's account of this address, which Cognito writes over the account's. */
async function signInWith(
  { world, actor }: Visit,
  userName: string,
  email: string,
): Promise<string | undefined> {
  const token = await actor.tokenWith(userName, email);
  const account = token === undefined ? undefined : world.parts.pool.accountOf(token);
  if (!account) return undefined;
  const row = world.parts.planTable.rows.get(account.sub);
  if (row?.address !== undefined && row.address !== email) {
    Object.assign(account, { email, emailVerified: true });
    await followProviderAddress(
      world.parts,
      { id: account.sub, username: account.username, email, emailVerified: true },
      new Date(),
    );
  }
  return token;
}

const acts: Record<string, (visit: Visit) => Promise<Answer>> = {
  'owner signs up': async ({ actor }) =>
    void (await actor.signUp(A, PASSWORDS.owner, hers.attribute.Value, MAIL_AGAIN).catch(() => {})),
  'owner confirms': async (visit) => {
    const account = { name: 'Ada', password: PASSWORDS.reset };
    const answer = await visit.actor.confirm(A, linkTo(visit, A, 'confirmation'), { account });
    const isHers = (await visit.actor.signIn(A, PASSWORDS.reset)) !== undefined;
    if (isHers) visit.known.password = PASSWORDS.reset;
    return answer;
  },
  'owner confirms by the first link in the browser that signed up': ({ world, actor }) => {
    const link = world.linksTo(A).find(({ mail }) => mail === 'confirmation');
    return actor.confirm(A, link?.token ?? 'x'.repeat(43), hers.metadata);
  },
  'owner types a code': async ({ world, actor }) => {
    const waiting = await world.parts.pool.find(A);
    if (waiting) await actor.confirmByCode(waiting.username).catch(() => {});
  },
  'owner resets': async (visit) => {
    const { world, actor, known } = visit;
    await actor.mailLink(A, 'reset', true);
    const answer = await actor.resetPassword(
      linkTo(visit, A, 'reset', 'password-changed', 'provider-linked'),
      PASSWORDS.reset,
    );
    if (answer.status === 200) {
      known.password = PASSWORDS.reset;
      known.isTakenBack = true;
      known.mayHaveB = false;
      known.seen = world
        .linksTo(A)
        .slice(0, -1)
        .map(({ token }) => token);
    }
    return answer;
  },
  'owner ends all sessions': async (visit) => visit.actor.endSession(await ownerSession(visit), 'all'),
  'owner tries the mailbox again': async (visit) => {
    const answer = await visit.actor.changeEmail(await ownerSession(visit), A);
    await visit.actor.decide(linkTo(visit, A, 'email-proof'), 'prove');
    return answer;
  },
  'owner presses stop': (visit) => visit.actor.decide(linkTo(visit, A, 'email-change-requested'), 'stop'),
  'owner asks for B': async (visit) => {
    const answer = await visit.actor.changeEmail(await ownerSession(visit), B);
    if (answer.status === 200) visit.known.mayHaveB = true;
    return answer;
  },
  'owner proves B': (visit) => visit.actor.decide(linkTo(visit, B, 'email-proof'), 'prove'),
  'owner approves': async (visit) => {
    visit.known.isTakenBack = false;
    return visit.actor.decide(linkTo(visit, A, 'email-change-requested'), 'approve');
  },
  'owner signs in with Google': async (visit) => void (await signInWith(visit, 'google_1', A)),
  'owner presses an unasked link': async (visit) => {
    visit.known.isTakenBack = false;
    return visit.actor.decide(linkTo(visit, A, 'email-proof'), 'prove');
  },
  'owner deletes the account': async (visit) => visit.actor.deleteAccount(await ownerSession(visit)),
  'stranger signs up': async ({ actor }) => void (await actor.signUp(A, PASSWORDS.stranger).catch(() => {})),
  'stranger asks for another mail': async ({ world, actor }) => {
    const waiting = await world.parts.pool.find(A);
    if (waiting?.status === 'UNCONFIRMED') await actor.resend(waiting.username).catch(() => {});
  },
  'stranger moves to A': async ({ world, actor }) => {
    const token = await actor.signIn(M, PASSWORDS.stranger);
    return token !== undefined && !world.ada?.email?.includes('evil')
      ? actor.changeEmail(token, A)
      : undefined;
  },
  'stranger approves': (visit) => visit.actor.decide(linkTo(visit, M, 'email-change-requested'), 'approve'),
  'stranger signs in with Google': async (visit) => {
    const token = await signInWith(visit, 'google_2', M);
    if (token !== undefined) visit.known.sessions.push(token);
  },
  'thief changes the password': async (visit) => {
    const session = await thiefSession(visit);
    return visit.actor.changePassword(session, visit.known.password, PASSWORDS.thief);
  },
  'thief moves to M': async (visit) =>
    visit.actor.changeEmail(await thiefSession(visit), 'thief@evil.example'),
  'thief proves M': (visit) =>
    visit.actor.decide(linkTo(visit, 'thief@evil.example', 'email-proof'), 'prove'),
  'thief uses old links': async (visit) => {
    for (const token of visit.known.seen) {
      await visit.actor.resetPassword(token, PASSWORDS.thief);
      await visit.actor.decide(token, 'approve');
    }
  },
  'mail to A bounces': ({ world }) => world.returned('Bounce', A),
  'the reader of A complains': ({ world }) => world.returned('Complaint', A),
  'eight days': async ({ actor }) => {
    vi.setSystemTime(Date.now() + 8 * DAY);
    await actor.runTasks();
  },
};

// After these, no earlier ticket counts.
const ENDS_TICKETS = new Set([
  'owner resets',
  'owner ends all sessions',
  'owner presses stop',
  'owner deletes the account',
  'thief changes the password',
]);

// These mail a mailbox without its reader.
const UNASKED = new Set(['stranger signs up', 'stranger asks for another mail', 'stranger moves to A']);

/** Takes an act, and notes what the actors know afterward. Resolves with what is wrong with the act. */
async function take(visit: Visit, name: string): Promise<string[]> {
  const { world, known } = visit;
  const { limits } = world.parts;
  const mails = world.mailsTo(A).length;
  const answer = await acts[name]?.(visit);
  const faults = [];
  const { status = 200 } = answer ?? {};
  // 503 asks for another try.
  if (status >= 500 && status !== 503) faults.push(`answer ${status}`);
  if (known.isComplained && UNASKED.has(name) && world.mailsTo(A).length > mails)
    faults.push('an unasked mail');
  known.isComplained = await limits.isComplained(A, new Date());
  if (status === 200 && ENDS_TICKETS.has(name)) known.ended.push(...known.tickets.splice(0));
  const { ticket } = { ...(answer?.body as { ticket?: string } | undefined) };
  if (ticket !== undefined) known.tickets.push(ticket);
  return faults;
}

/** The account that has the owner's mailbox, if one has. */
const holder = ({ world }: Visit) => {
  const [username] = world.holdersOf(A);
  return username === undefined ? undefined : world.parts.pool.of(username);
};

/** Whether somebody who knows what the thief and the stranger know gets into the account of the mailbox. */
async function strangerGetsIn(visit: Visit): Promise<string | undefined> {
  const { world, actor, known } = visit;
  const account = holder(visit);
  if (!account) return undefined;
  const isOpenedBy = (token: string | undefined): boolean => {
    const session = token === undefined ? undefined : world.parts.pool.sessionOf(token);
    const row = world.parts.planTable.rows.get(account.sub);
    return (
      session?.username === account.username &&
      world.parts.pool.accountOf(String(token)) !== undefined &&
      !isSessionEnded(row, { session: String(token), signedInAt: session.beganAt })
    );
  };
  if (known.sessions.some(isOpenedBy)) return 'a session';
  for (const password of [PASSWORDS.owner, PASSWORDS.stranger, PASSWORDS.thief])
    if (isOpenedBy(await actor.signIn(A, password))) return `the password ${password}`;
  for (const token of known.seen)
    if ((await actor.resetPassword(token, PASSWORDS.thief)).status === 200) return 'an old link';
  if (isOpenedBy(await signInWith(visit, 'google_2', M))) return 'a provider';
  return undefined;
}

/** Whether the reader of the mailbox gets into the account that has it, or gets one. */
async function ownerGetsIn(visit: Visit): Promise<boolean> {
  const { world, actor } = visit;
  if (world.parts.mail.suppressed.has(A)) {
    await acts['owner tries the mailbox again']?.(visit);
    // Support does it for a user without a session.
    await world.parts.mail.unsuppress(A);
  }
  await actor.mailLink(A, 'reset', true);
  await actor.resetPassword(linkTo(visit, A, 'reset'), 'at last');
  const rows = [...world.parts.planTable.rows.values()];
  if ((await actor.signIn(A, 'at last')) !== undefined) return rows.every((row) => !row.mail_bounced_at);
  await actor.signUp(A, 'at last', undefined, MAIL_AGAIN).catch(() => {});
  await actor.confirm(A, linkTo(visit, A, 'confirmation'), { account: { name: 'Ada', password: 'at last' } });
  if ((await actor.signIn(A, 'at last')) !== undefined) return true;
  // An account that Google made has no password.
  return holder(visit)?.status === 'EXTERNAL_PROVIDER';
}

/** A ticket is for the account whose mailbox has brought its link, also after a change of address. */
async function ticketFaults({ world, actor, known }: Visit): Promise<string[]> {
  const opened = async (ticket: string): Promise<boolean> => {
    const tokens = [A, world.ada?.email ?? A].map((email) => actor.signInByTicket(email, ticket));
    return (await Promise.all(tokens)).some((token) => token !== undefined);
  };
  const faults: string[] = [];
  for (const ticket of known.ended) if (await opened(ticket)) faults.push('an ended ticket signs in');
  for (const ticket of known.tickets) {
    const isGood = await world.parts.proofs.read(ticket, 'sign-in', new Date());
    if (isGood && !(await opened(ticket))) faults.push('a ticket is lost');
  }
  return faults;
}

function faultsOf({ world, known }: Visit): string[] {
  const { planTable, addresses, pool, mail } = world.parts;
  const faults: string[] = [];
  for (const email of [A, B]) {
    const [first, ...others] = world.holdersOf(email);
    if (others.length > 0) faults.push(`${email} has several accounts`);
    const owner = addresses.owners.get(email);
    if (first !== undefined && owner !== first) faults.push(`${email} is ${owner}'s`);
  }
  for (const { sub, email, status } of pool.accounts.values()) {
    const { address } = planTable.rows.get(sub) ?? {};
    if (status !== 'UNCONFIRMED' && address !== undefined && address !== email)
      faults.push(`the row has ${address}`);
  }
  const opened = world.holdersOf(A).map((username) => pool.of(username));
  if (opened.some(({ username, password }) => username !== 'mallory' && password === PASSWORDS.stranger))
    faults.push('the password of a sign-up that its owner did not make counts');
  if (world.ada?.email === B && !known.mayHaveB) faults.push('the account has B');
  for (const mailbox of [A, M, B]) {
    const today = mail.sent.filter(({ to }) => to === mailbox).length;
    if (today > 6 * DAILY_MAILS) faults.push(`${mailbox} got ${today} mails`);
  }
  return faults;
}

/** The acts that each exploration begins after. After an attack of several, it is one act less deep. */
const beginnings: Record<string, string[]> = {
  'nobody has the mailbox': ['owner deletes the account'],
  'the owner has an account': [],
  'a stranger asks for the mailbox, which has no account': [
    'owner deletes the account',
    'stranger moves to A',
    'stranger signs in with Google',
  ],
  'a thief moves the account away': ['thief moves to M', 'thief proves M'],
};

async function explore(first: readonly string[], depth: number) {
  vi.setSystemTime(start);
  const world = await AccountWorld.with(A);
  world.parts.pool.put({ username: 'mallory', email: M, password: PASSWORDS.stranger });
  world.parts.addresses.owners.set(M, 'mallory');
  await world.parts.planTable.open('mallory', new Date(), { address: M });
  const actor = world.actor(undefined, true);
  const known: Known = {
    password: PASSWORDS.owner,
    seen: [],
    sessions: [],
    tickets: [],
    ended: [],
    isComplained: false,
    isTakenBack: false,
    mayHaveB: false,
  };
  for (const name of first) await take({ world, actor, known }, name);
  type Reached = { state: AccountState; known: Known; done: string[] };
  let reached: Reached[] = [{ state: saved(world), known, done: [] }];
  const visited = new Set<string>();
  const faults: string[] = [];

  const enter = ({ state, known: of }: Pick<Reached, 'state' | 'known'>): Visit => {
    vi.setSystemTime(state.now);
    restore(world, state);
    return { world, actor, known: copied(of) };
  };
  for (let acted = 0; acted < depth; acted += 1) {
    const next: Reached[] = [];
    for (const from of reached) {
      for (const name of Object.keys(acts)) {
        const visit = enter(from);
        vi.setSystemTime(Date.now() + 1_000);
        const found = await take(visit, name);
        const done = [...from.done, name];
        const state = saved(world);
        const key = nameOfState(state, visit.known);
        if (visited.has(key)) continue;
        visited.add(key);
        found.push(...faultsOf(visit));
        const after = { state, known: visit.known };
        if (visit.known.isTakenBack) {
          const way = await strangerGetsIn(enter(after));
          if (way !== undefined) found.push(`a stranger gets in by ${way}`);
        }
        if (visit.known.tickets.length + visit.known.ended.length > 0)
          found.push(...(await ticketFaults(enter(after))));
        if (!(await ownerGetsIn(enter(after)))) found.push('the owner does not get in');
        faults.push(...found.map((fault) => `${done.join(', ')}: ${fault}`));
        next.push({ ...after, done });
      }
    }
    reached = next;
  }
  return { faults, states: visited.size };
}

test.each(Object.entries(beginnings))(
  'in every order of acts, where %s, the reader of a mailbox gets in, and after a reset nobody else does',
  async (_, first) => {
    const { faults, states } = await explore(first, DEPTH - Number(first.length > 1));
    expect(faults.slice(0, 20)).toEqual([]);
    // The acts meet: fewer states would mean that most acts are refused.
    expect(states).toBeGreaterThan(50);
  },
);
