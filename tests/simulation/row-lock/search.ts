import {
  ableIn,
  type Actor,
  decide,
  type List,
  noPlan,
  nth,
  programs,
  type ReadRow,
  type Step,
  type World,
} from './model.ts';

/** The step of an actor, and the world after it. */
export function stepOf(before: World, actor: Actor): { after: World; call: string; answer: unknown } {
  const after: World = {
    ...before,
    row: before.row && { ...before.row },
    subscriptions: before.subscriptions.map((each) => ({ ...each })),
    sessions: before.sessions.map((each) => ({ ...each })),
  };
  const begin = ({ program, input }: Pick<Actor, 'program' | 'input'>) => {
    const run = programs[program]?.(input, before.product);
    if (!run) throw new Error(`There is no program ${program}.`);
    return run;
  };
  let run = begin(actor);
  let at = run.next();
  for (const answer of actor.answers) at = run.next(answer);
  const { call, run: effect } = at.value as Step;
  const answer = effect(after) ?? null;
  at = run.next(answer);
  let next: Actor | undefined = { ...actor, answers: [...actor.answers, answer] };
  while (at.done && next) {
    next = at.value && { ...actor, ...at.value, answers: [] };
    if (!next) break;
    run = begin(next);
    at = run.next();
  }
  after.actors = before.actors.flatMap((each) => (each !== actor ? [each] : (next ?? [])));
  return { after, call, answer };
}

/** The invariant that a world breaks. `isFinal`: nothing is under way. */
export function violationIn(world: World, isFinal: boolean): string | undefined {
  const { row, subscriptions, sessions, userExists, customerExists } = world;
  if (world.violation) return world.violation;
  if (row?.plan === 'plus' && !row.isClosing && !subscriptions[row.basis ?? -1]?.isPaid) {
    return 'The user is on Plus without a payment.';
  }
  if (!isFinal) return undefined;
  const isOfNow = ({ hasEnded, paidAt }: (typeof subscriptions)[number]) => !hasEnded || paidAt > 0;
  if (subscriptions.filter((each) => each.isPaid && isOfNow(each)).length > 1) {
    return 'The user has paid twice.';
  }
  if (!userExists) {
    if (row) return 'The row of a deleted account has come back.';
    if (customerExists || subscriptions.some(({ hasEnded }) => !hasEnded)) {
      return 'A deleted account can be charged.';
    }
    // A payment from the second of the request on is refunded.
    return subscriptions.some(({ isPaid, paidAt }) => isPaid && paidAt > 0)
      ? 'A deleted account has paid.'
      : undefined;
  }
  if (!row) return 'The row of an account is gone.';
  if (sessions.some(({ status, isForeign }, id) => status === 'open' && !isForeign && id !== row.session)) {
    return 'An open session is in no row.';
  }
  const { plan, basis, ends } = decide(row, subscriptions);
  return plan === row.plan && basis === row.basis && ends === row.ends
    ? undefined
    : 'The plan is not what Stripe says: a decision was lost.';
}

/**
 * The text of a world. Equal for worlds with the same future: versions count only relative to the row's, two
 * back at most, and actors differ by what they do and not by name. `names`: theirs, in the text's order.
 */
function textOf(world: World): { text: string; names: string[] } {
  const { version, changes, row } = world;
  const oldest = (row?.seen ?? changes) - 1;
  const actors = world.actors.map((actor) => withoutDead(world, actor));
  const lists = actors.flatMap(({ input, answers }) => [input.list, ...answers]) as (
    | List
    | null
    | undefined
  )[];
  const times = [changes, row?.seen ?? changes, ...lists.flatMap((list) => list?.seen ?? [])];
  const order = [...new Set(times.map((time) => Math.max(time, oldest)))].toSorted((a, b) => a - b);
  const relative = (key: string, value: unknown): unknown => {
    if (key === 'version') return Math.max(0, 2 + (value as number) - version);
    if (key === 'seen' || key === 'changes') return order.indexOf(Math.max(value as number, oldest));
    return key === 'name' ? undefined : value;
  };
  const texts = actors
    .map((actor) => ({ name: actor.name, text: JSON.stringify(actor, relative) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : 1));
  const shared = JSON.stringify({ ...world, actors: [] }, relative);
  return {
    text: [shared, ...texts.map(({ text }) => text)].join('\n'),
    names: texts.map(({ name }) => name),
  };
}

/** An actor without the knowledge that its next write loses by: `reconcile` then reads everything again. */
function withoutDead({ version, product, changes }: World, actor: Actor): Actor {
  const { program, input, answers } = actor;
  const row = input.row ?? (answers.find((answer) => isRow(answer)) as ReadRow | undefined);
  const isWritten = answers.includes(true) || product === 'overwrites newer decisions';
  if (program !== 'reconcile' || input.onlyChanges || isWritten || !row || row.version >= version)
    return actor;
  const known = input.first ? 0 : row.version;
  const dead = { ...row, ...noPlan, session: null, isClosing: false, version: known };
  const none = { subscriptions: [], seen: changes };
  return {
    ...actor,
    input: { ...input, ...(input.row && { row: dead }), list: none },
    answers: answers.map((answer) => (isRow(answer) ? dead : none)),
  };
}

const isRow = (answer: unknown): boolean => answer !== null && Object.hasOwn(answer as object, 'version');

function worldOf(worldText: string, names: readonly string[]): World {
  const [shared = '', ...actors] = worldText.split('\n');
  return {
    ...(JSON.parse(shared) as World),
    actors: actors.map((text, index) => ({ ...(JSON.parse(text) as Actor), name: nth(names, index) })),
  };
}

export interface Found {
  states: number;
  steps: number;
  /** The names of the actors, in the order of their steps: the shortest way to the violation. */
  violation?: { message: string; trace: string[] };
}

/** Visits every world that any interleaving leads to, until one breaks an invariant. Breadth first. */
export function search(start: World): Found {
  const first = textOf(start);
  const seen = new Map([[first.text, { from: '', name: '', names: first.names }]]);
  const found = { steps: 0 };
  for (const [text, { names }] of seen) {
    const world = worldOf(text, names);
    const able = ableIn(world);
    const message = violationIn(world, able.length === 0);
    if (message !== undefined) {
      const trace: string[] = [];
      for (let at = seen.get(text); at?.from; at = seen.get(at.from)) trace.unshift(at.name);
      return { ...found, states: seen.size, violation: { message, trace } };
    }
    const steps = able.map((actor) => ({ actor, ...stepOf(world, actor) }));
    // A step that reads and changes nothing comes at once: nobody can tell when.
    const idle = steps.find(({ answer }) => answer === 0);
    for (const { actor, after } of idle ? [idle] : steps) {
      found.steps += 1;
      const next = textOf(after);
      if (!seen.has(next.text)) seen.set(next.text, { from: text, name: actor.name, names: next.names });
    }
  }
  return { ...found, states: seen.size };
}

/**
 * Traces to the end, chosen at random. Each has a step right after another of which `seen` has no example
 * yet. Ends after so many vain choices.
 */
export function tracesOf(start: World, seen: Set<string>, vain: number): string[][] {
  let random = 1;
  const traces: string[][] = [];
  for (let left = vain; left > 0; left -= 1) {
    const trace: string[] = [];
    const known = seen.size;
    let previous = '';
    let world = start;
    for (let able = ableIn(world); able.length > 0; able = ableIn(world)) {
      // Lehmer's generator: the same traces in each run.
      random = (random * 48_271) % 2_147_483_647;
      const actor = nth(able, random % able.length);
      const { after, call, answer } = stepOf(world, actor);
      const step = `${actor.program} ${call} ${answer === true || answer === false ? answer : ''}`;
      seen.add(`${previous}, ${step}`);
      previous = step;
      trace.push(actor.name);
      world = after;
    }
    if (seen.size === known) continue;
    traces.push(trace);
    left = vain;
  }
  return traces;
}
