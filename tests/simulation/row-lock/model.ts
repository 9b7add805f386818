/** A user's row, the user's objects at Stripe, and the requests that are under way. Plain JSON. */
export interface World {
  product: Product;
  row: Row | null;
  /** Every decision, closing and clearing of the row raises it. */
  version: number;
  userExists: boolean;
  customerExists: boolean;
  /** An index is an id. */
  subscriptions: Subscription[];
  /** `isShown`: a tab has it, so that it can be paid. `isForeign`: the row doesn't have to name it. */
  sessions: { status: 'open' | 'complete' | 'expired'; isShown: boolean; isForeign: boolean }[];
  /** Counts the changes of subscriptions. */
  changes: number;
  payments: number;
  violation?: string;
  /** The requests that haven't ended. */
  actors: Actor[];
}

/** The deployed product, or one with a defect in its use of the row's lock. */
export type Product =
  | 'as deployed'
  | 'overwrites newer decisions'
  | 'reads Stripe before the row'
  | 'deletes without closing the row'
  | 'trusts a single other decision';

interface Decision {
  plan: 'free' | 'plus';
  /** The subscription that the plan is based on. */
  basis: number | null;
  /** The end of the plan. */
  ends: 'never' | 'before now' | 'later';
  /** The newest refunded duplicate, which the user is told of. */
  refunded: number | null;
}

interface Row extends Decision {
  session: number | null;
  isClosing: boolean;
  /** The deletion has removed the customer, and all else about the user. */
  isCleared: boolean;
  /** The `changes` at the read of Stripe that the decision was made from. */
  seen: number;
}

export interface Subscription {
  id: number;
  ends: Decision['ends'];
  hasEnded: boolean;
  duplicate: 'found' | 'refunded' | null;
  /** Its invoices are void. */
  isClosed: boolean;
  /** Its payment was not refunded. */
  isPaid: boolean;
  /** The number of payments up to its own. Less for one from before. */
  paidAt: number;
}

/** `isSuperseded`: two decisions were written since the first read. */
export type ReadRow = Omit<Row, 'seen'> & { version: number; isSuperseded: boolean };

/** Subscriptions as read at once, after so many changes. */
export interface List {
  subscriptions: Subscription[];
  seen: number;
}

interface Input {
  row?: ReadRow | null;
  list?: List | undefined;
  /** The first row that `reconcile` has read. */
  first?: { version: number } | undefined;
  onlyChanges?: boolean;
  next?: string;
  /** A subscription, a session, or a number of payments. */
  target?: number | null;
  isReusable?: boolean;
}

/** A request. The answers since its program began determine its next step. */
export interface Actor {
  name: string;
  program: string;
  input: Input;
  answers: unknown[];
}

/** One read or write, by the name of the handler's call. */
export interface Step {
  call: string;
  run: (world: World) => unknown;
}
type Steps<T> = Generator<Step, T, unknown>;
/** Returns the program that the request goes on with. */
type Program = (input: Input, product: Product) => Steps<{ program: string; input: Input } | undefined>;

export const noPlan = { plan: 'free', basis: null, ends: 'never', refunded: null } as const;

function* step<T>(call: string, run: (world: World) => T): Steps<T> {
  return (yield { call, run }) as T;
}

export function nth<T>(all: readonly T[], index: number): T {
  const found = all[index];
  if (found === undefined) throw new Error(`There is no number ${index}.`);
  return found;
}

const isEntitling = ({ hasEnded, duplicate }: Subscription): boolean => !hasEnded && duplicate === null;
const isUnclosed = ({ hasEnded, isClosed }: Subscription): boolean => hasEnded && !isClosed;

function activeIn(list: readonly Subscription[], { plan, basis, ends }: Decision): Subscription | undefined {
  const entitling = list.filter(isEntitling);
  return entitling.find((each) => plan === 'plus' && each.id === basis && each.ends === ends) ?? entitling[0];
}

export function decide(row: Decision, list: readonly Subscription[]): Decision {
  const { id: basis, ends } = activeIn(list, row) ?? {};
  const refunded = list.findLast(({ duplicate }) => duplicate === 'refunded')?.id ?? row.refunded;
  if (basis === undefined || ends === undefined) return { ...noPlan, refunded };
  return { plan: 'plus', basis, ends, refunded };
}

const isSame = (a: Decision, b: Decision): boolean =>
  a.plan === b.plan && a.basis === b.basis && a.ends === b.ends && a.refunded === b.refunded;

function duplicatesIn(list: readonly Subscription[], row: Decision): Subscription[] {
  const active = activeIn(list, row);
  return list.filter((each) => each.duplicate === 'found' || (isEntitling(each) && each !== active));
}

function readRow(row: Row, version: number, isSuperseded = false): ReadRow {
  const { seen: _, ...fields } = row;
  return { ...fields, version, isSuperseded };
}
const read = (first?: { version: number }) =>
  step('table read', ({ row, version, product }): ReadRow | null => {
    const others = product === 'trusts a single other decision' ? 1 : 2;
    const isSuperseded = first !== undefined && version >= first.version + others && !row?.isClosing;
    return row && readRow(row, version, isSuperseded);
  });
/** The read of a request's row. A user who is gone is refused. */
const enter = () =>
  step('table read', ({ row, version, userExists, payments }) =>
    userExists ? { row: row && readRow(row, version), payments } : null,
  );
const nothing = (call: string) => step(call, () => 0);
const list = () =>
  step('Stripe GET /v1/subscriptions', ({ subscriptions, changes }) => ({
    subscriptions: subscriptions.map((each) => ({ ...each })),
    seen: changes,
  }));
const change = (call: string, id: number, changed: Partial<Subscription>) =>
  step(`Stripe ${call}`, (world): Subscription => {
    world.changes += 1;
    return { ...Object.assign(nth(world.subscriptions, id), changed) };
  });
const mark = (id: number, marks: Partial<Subscription>) => change('POST /v1/subscriptions/:id', id, marks);
const refund = (id: number) => change('POST /v1/refunds', id, { isPaid: false });
const cancelNow = (id: number) => change('DELETE /v1/subscriptions/:id', id, { hasEnded: true });
/** Stripe's answer is as good as a read. It refuses to change an ended subscription. */
const setEnd = (id: number, ends: Decision['ends'], { subscriptions, seen }: List) =>
  step('Stripe POST /v1/subscriptions/:id', (world): List => {
    const isNewest = seen === world.changes;
    const changed = nth(world.subscriptions, id);
    if (!changed.hasEnded) Object.assign(changed, { ends });
    world.changes += 1;
    return { subscriptions: subscriptions.with(id, { ...changed }), seen: isNewest ? world.changes : seen };
  });
const statusOf = (session: number) =>
  step('Stripe GET /v1/checkout/sessions/:id', ({ sessions }) => nth(sessions, session).status);
function* expire(id: number): Steps<void> {
  const wasOpen = yield* step('Stripe POST /v1/checkout/sessions/:id/expire', ({ sessions }) => {
    const session = nth(sessions, id);
    const { status } = session;
    if (status === 'open') session.status = 'expired';
    return status === 'open';
  });
  if (!wasOpen) yield* statusOf(id);
}
const write = (row: ReadRow, decision: Decision, seen: number) =>
  step('table decide', (world): boolean => {
    const isNewest = world.row !== null && world.version === row.version;
    if (!isNewest && world.product !== 'overwrites newer decisions') return false;
    if (world.row && !row.isCleared && seen < world.row.seen) {
      world.violation = 'An older decision has replaced a newer one.';
    }
    world.row = { session: null, isClosing: false, isCleared: false, ...world.row, ...decision, seen };
    world.version += 1;
    return true;
  });
const payable = ({ sessions }: World, only?: number | null): number =>
  sessions.findIndex((each, id) => each.status === 'open' && each.isShown && (only ?? id) === id);
const pay = (session?: number | null) =>
  step('user pay', (world) => {
    nth(world.sessions, payable(world, session)).status = 'complete';
    world.payments += 1;
    world.changes += 1;
    const bought = {
      ends: 'never',
      hasEnded: false,
      duplicate: null,
      isClosed: false,
      isPaid: true,
    } as const;
    world.subscriptions.push({ id: world.subscriptions.length, ...bought, paidAt: world.payments });
  });
const openSession = () =>
  step('Stripe POST /v1/checkout/sessions', ({ sessions, customerExists }) =>
    customerExists ? sessions.push({ status: 'open', isShown: false, isForeign: false }) - 1 : null,
  );
const adopt = (session: number, replacing: number | null) =>
  step('table adoptCheckout', ({ row, sessions }) => {
    if (!row || row.isClosing || row.session !== replacing) return false;
    row.session = session;
    return (nth(sessions, session).isShown = true);
  });
const openSessions = () =>
  step('Stripe GET /v1/checkout/sessions', ({ sessions }) =>
    [...sessions.keys()].filter((id) => nth(sessions, id).status === 'open').toReversed(),
  );
const close = () =>
  step('table close', (world): Row => {
    if (world.product !== 'deletes without closing the row') world.version += 1;
    const isClosing = world.product !== 'deletes without closing the row';
    const row = world.row ?? { ...noPlan, session: null, isClosing, isCleared: false, seen: 0 };
    return { ...(world.row = { ...row, isClosing }) };
  });

/** Refunds and ends duplicates, and closes what has ended. Resolves with the subscriptions after it. */
function* settle(row: Decision, before: readonly Subscription[]): Steps<Subscription[]> {
  const settled: Subscription[] = [];
  const duplicates = duplicatesIn(before, row);
  for (const each of before) {
    let after = each;
    if (duplicates.includes(each)) {
      if (!each.duplicate) yield* mark(each.id, { duplicate: 'found' });
      yield* refund(each.id);
      after = { ...(yield* cancelNow(each.id)), duplicate: 'refunded' };
      yield* mark(each.id, { duplicate: 'refunded' });
    }
    settled.push(isUnclosed(after) ? yield* mark(each.id, { isClosed: true }) : after);
  }
  return settled;
}

/** Only the deletion can have deleted the customer. The row of a closed account adopts no other. */
function* replaceCustomer({ isCleared }: ReadRow): Steps<undefined> {
  // Once more, with the price looked up again.
  if (!isCleared) yield* nothing('Stripe POST /v1/checkout/sessions');
  yield* nothing('Stripe POST /v1/customers');
  yield* nothing('table adoptCustomer');
  yield* nothing('Stripe GET /v1/subscriptions');
  yield* nothing('Stripe DELETE /v1/customers/:id');
}

export const programs: Record<string, Program> = {
  *reconcile(input, product) {
    const { next, onlyChanges = false, ...kept } = input;
    const isReversed = product === 'reads Stripe before the row' && input.row === undefined;
    const early: List | undefined = isReversed ? yield* list() : undefined;
    const row = input.row ?? (yield* read(input.first));
    if (!row) return undefined;
    const goOn = (after: ReadRow, listed: List) =>
      next === undefined
        ? undefined
        : { program: next, input: { ...kept, row: after, list: listed, first: undefined } };
    if (!input.row && row.isSuperseded) return goOn(row, input.list ?? { subscriptions: [], seen: 0 });
    const known =
      early ?? (input.row && input.list) ?? (row.isCleared ? { subscriptions: [], seen: 0 } : yield* list());
    const { subscriptions, seen } = known;
    const decision = decide(row, subscriptions);
    const isSettled = duplicatesIn(subscriptions, row).length === 0 && !subscriptions.some(isUnclosed);
    if (onlyChanges && isSettled && isSame(decision, row)) return goOn(row, known);
    if (yield* write(row, decision, seen)) {
      const written = { ...row, ...decision, version: row.version + 1 };
      return goOn(written, { subscriptions: yield* settle(row, subscriptions), seen });
    }
    const { first = input.row ? undefined : { version: row.version }, row: _, ...again } = input;
    return { program: 'reconcile', input: { ...again, list: known, first } };
  },

  *payment({ target }) {
    yield* pay(target);
    return { program: 'reconcile', input: {} };
  },
  *catchUp() {
    // The cursor, and then Stripe's events.
    yield* nothing('table read');
    return { program: 'reconcile', input: {} };
  },
  *sweep() {
    const isDue = yield* step('table expired', ({ row }) => row?.ends === 'before now');
    return isDue ? { program: 'reconcile', input: {} } : undefined;
  },

  *cancel() {
    const row = (yield* enter())?.row;
    const input = { row: row ?? null, onlyChanges: true, next: 'cancelAtStripe' };
    return row ? { program: 'reconcile', input: { ...input, target: row.basis } } : undefined;
  },
  *cancelAtStripe({ row, list: known, target }) {
    const shown = known?.subscriptions.find(({ id }) => id === target);
    if (!row || !known || !shown || !isEntitling(shown) || shown.ends !== 'never') return undefined;
    const changed = yield* setEnd(shown.id, 'later', known);
    if (!isEntitling(nth(changed.subscriptions, shown.id))) return undefined;
    return { program: 'reconcile', input: { row, list: changed } };
  },
  *keep() {
    const row = (yield* enter())?.row;
    const input = { row: row ?? null, onlyChanges: true, next: 'keepAtStripe' };
    return row ? { program: 'reconcile', input } : undefined;
  },
  *keepAtStripe({ row, list: known }) {
    const active = row && known && activeIn(known.subscriptions, row);
    if (!row || !known || !active || active.ends === 'never') return undefined;
    return { program: 'reconcile', input: { row, list: yield* setEnd(active.id, 'never', known) } };
  },

  *tab() {
    const row = (yield* enter())?.row;
    if (!row) return undefined;
    const isReusable = row.session !== null && (yield* statusOf(row.session)) === 'open';
    const input = { row, onlyChanges: true, next: 'buy', target: row.session, isReusable };
    return { program: 'reconcile', input };
  },
  *buy({ row, list: known, target = null, isReusable }) {
    if (!row || row.isClosing || isReusable || activeIn(known?.subscriptions ?? [], row)) return undefined;
    const session = row.isCleared ? null : yield* openSession();
    if (session === null) return yield* replaceCustomer(row);
    if (yield* adopt(session, target)) return undefined;
    yield* expire(session);
    const after = yield* read();
    if (!after) return undefined;
    if (after.session !== null) yield* statusOf(after.session);
    return { program: 'reconcile', input: { row: after, onlyChanges: true } };
  },

  *deletion() {
    const entered = yield* enter();
    if (!entered) return undefined;
    const row = readRow(yield* close(), 0);
    if (row.session !== null) yield* expire(row.session);
    for (const session of yield* openSessions()) yield* expire(session);
    return { program: 'endBilling', input: { row, target: entered.payments } };
  },
  *endBilling({ row, target }) {
    const { subscriptions } = yield* list();
    const settled = yield* settle(row ?? noPlan, subscriptions);
    for (const { id, hasEnded } of settled) if (!hasEnded) yield* cancelNow(id);
    for (const { id, paidAt } of subscriptions.toReversed()) if (paidAt >= (target ?? 0)) yield* refund(id);
    return { program: 'removeAccount', input: {} };
  },
  *removeAccount() {
    yield* nothing('Stripe GET /v1/subscriptions');
    yield* step('Stripe DELETE /v1/customers/:id', (world) => {
      world.customerExists = false;
      for (const each of world.subscriptions) each.hasEnded = true;
    });
    yield* step('table clear', (world) => {
      world.version += 1;
      if (world.row) world.row = { ...world.row, ...noPlan, session: null, isCleared: true };
    });
    yield* step('pool remove', (world) => (world.userExists = false));
    yield* step('table remove', (world) => (world.row = null));
    return undefined;
  },
};

/** Whether an actor can begin, or go on. A user presses what the page shows. */
function isAble(world: World, { program, input, answers }: Actor): boolean {
  const { plan, ends } = world.row ?? { plan: 'free', ends: 'never' };
  if (program === 'payment') return payable(world, input.target) !== -1;
  if (answers.length > 0 || (program !== 'cancel' && program !== 'keep')) return true;
  return plan === 'plus' && (ends === 'never') === (program === 'cancel');
}

export const ableIn = (world: World): Actor[] => world.actors.filter((actor) => isAble(world, actor));
