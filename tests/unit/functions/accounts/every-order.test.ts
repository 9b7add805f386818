import { expect, test, vi } from 'vitest';
import { DAILY_MAILS } from '../../../../schemas/product/mail-limits.ts';
import { followProviderAddress } from '../../../../functions/accounts/follow-provider-address.ts';
import { isSessionEnded } from '../../../../functions/domain/account-moment.ts';
import { type AccountState, nameOfState, restore, saved } from '../../../fixtures/fakes/account-states.ts';
import { AccountWorld } from '../../../fixtures/fakes/account-world.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

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

type Actor = ReturnType<AccountWorld['actor']>;
type Answer = { status: number | undefined } | void;

/** The knowledge of the actors, beside the product's state. */
interface Known {
  /** The password of the account that the owner chose last. */
  password: string;
  /** The links to the owner's mailbox that a thief has seen: all from before the owner's last reset. */
  seen: string[];
  /** Sessions of the thief. */
  sessions: string[];
  /** Whether the owner has reset the password, and pressed no unasked link since. */
  isTakenBack: boolean;
  /** Whether the owner asked for B, and both of the owner's mailboxes may have agreed. */
  mayHaveB: boolean;
}

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
  'owner signs up': async ({ actor }) => void (await actor.signUp(A, PASSWORDS.owner).catch(() => {})),
  'owner confirms': async (visit) => {
    const account = { name: 'Ada', password: PASSWORDS.reset };
    const answer = await visit.actor.confirm(A, linkTo(visit, A, 'confirmation'), { account });
    const isHers = (await visit.actor.signIn(A, PASSWORDS.reset)) !== undefined;
    if (isHers) visit.known.password = PASSWORDS.reset;
    return answer;
  },
  'owner resets': async (visit) => {
    const { world, actor, known } = visit;
    await actor.mailLink(A);
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
  'eight days': async ({ actor }) => {
    vi.setSystemTime(Date.now() + 8 * DAY);
    await actor.runTasks();
  },
};

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
  const { actor } = visit;
  await actor.mailLink(A);
  await actor.resetPassword(linkTo(visit, A, 'reset'), 'at last');
  if ((await actor.signIn(A, 'at last')) !== undefined) return true;
  await actor.signUp(A, 'at last').catch(() => {});
  await actor.confirm(A, linkTo(visit, A, 'confirmation'), { account: { name: 'Ada', password: 'at last' } });
  if ((await actor.signIn(A, 'at last')) !== undefined) return true;
  // An account that Google made has no password.
  return holder(visit)?.status === 'EXTERNAL_PROVIDER';
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
  if (world.ada?.email === B && !known.mayHaveB) faults.push('the account has B');
  for (const mailbox of [A, M, B]) {
    const today = mail.sent.filter(({ to }) => to === mailbox).length;
    if (today > 6 * DAILY_MAILS) faults.push(`${mailbox} got ${today} mails`);
  }
  return faults;
}

/** The acts that each exploration begins after. */
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

async function explore(first: readonly string[]) {
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
    isTakenBack: false,
    mayHaveB: false,
  };
  for (const name of first) await acts[name]?.({ world, actor, known });
  type Reached = { state: AccountState; known: Known; done: string[] };
  let reached: Reached[] = [{ state: saved(world), known, done: [] }];
  const visited = new Set<string>();
  const faults: string[] = [];

  const enter = ({ state, known: of }: Pick<Reached, 'state' | 'known'>): Visit => {
    vi.setSystemTime(state.now);
    restore(world, state);
    return { world, actor, known: structuredClone(of) };
  };
  for (let depth = 0; depth < DEPTH; depth += 1) {
    const next: Reached[] = [];
    for (const from of reached) {
      for (const [name, act] of Object.entries(acts)) {
        const visit = enter(from);
        vi.setSystemTime(Date.now() + 1_000);
        const status = (await act(visit))?.status ?? 200;
        const done = [...from.done, name];
        const state = saved(world);
        const key = nameOfState(state, visit.known);
        if (visited.has(key)) continue;
        visited.add(key);
        // 503 asks for another try.
        const found = status >= 500 && status !== 503 ? [`answer ${status}`] : faultsOf(visit);
        const after = { state, known: visit.known };
        if (visit.known.isTakenBack) {
          const way = await strangerGetsIn(enter(after));
          if (way !== undefined) found.push(`a stranger gets in by ${way}`);
        }
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
    const { faults, states } = await explore(first);
    expect(faults.slice(0, 20)).toEqual([]);
    // The acts meet: fewer states would mean that most acts are refused.
    expect(states).toBeGreaterThan(300);
  },
);
