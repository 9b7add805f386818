import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What the enemy does to one call of a handler to a neighbour: the call fails and had no effect; it fails and had its effect; its
 * answer is lost and the client's own retry asks again; the handler is killed before it, or after it took effect.
 */
export const blows = ['fails before', 'fails after', 'is repeated', 'dies before', 'dies after'] as const;
export type Blow = (typeof blows)[number];

/** The blow at the handler's nth call, counted from 0. */
export interface Strike {
  at: number;
  blow: Blow;
}

export interface Call {
  party: 'Stripe' | 'table' | 'pool' | 'mail';
  name: string;
}

export type Ended<T> = { kind: 'answered'; value: T } | { kind: 'threw'; error: unknown } | { kind: 'died' };

const never = new Promise<never>(() => {});
const stage = new AsyncLocalStorage<Actor>();

/** One run of a handler, or one deed of a person: what it has called, and what befalls it. */
export class Actor {
  readonly calls: Call[] = [];
  /** By account: how much had happened at Stripe when it was last asked. */
  readonly looks = new Map<string, number>();
  /** The call that the strike hit; undefined while it hasn't. */
  struck: (Call & { blow: Blow }) | undefined;
  readonly #strike: Strike | undefined;
  readonly #death = Promise.withResolvers<Ended<never>>();
  #dead = false;
  #turn: (() => Promise<void>) | undefined;

  constructor(strike?: Strike) {
    this.#strike = strike;
  }

  /** From here on every call waits until it is given its turn. */
  takesTurns(turn: () => Promise<void>): void {
    this.#turn = turn;
  }

  perform<T>(work: () => Promise<T>): Promise<Ended<T>> {
    const ended = stage.run(this, work).then(
      (value): Ended<T> => ({ kind: 'answered', value }),
      (error: unknown): Ended<T> => ({ kind: 'threw', error }),
    );
    return Promise.race([ended, this.#death.promise]);
  }

  async turn(): Promise<void> {
    await this.#turn?.();
    if (this.#dead) await never;
  }

  async call<T>(call: Call, effect: () => T | Promise<T>, failure: () => T | Promise<T>): Promise<T> {
    await this.turn();
    const blow = this.calls.length === this.#strike?.at ? this.#strike.blow : undefined;
    this.calls.push(call);
    if (blow) this.struck = { ...call, blow };
    switch (blow) {
      case 'fails before':
        return failure();
      case 'fails after':
        await effect();
        return failure();
      case 'is repeated':
        await effect();
        return effect();
      case 'dies before':
        return this.#die();
      case 'dies after':
        await effect();
        return this.#die();
      default:
        return effect();
    }
  }

  #die(): Promise<never> {
    this.#dead = true;
    this.#death.resolve({ kind: 'died' });
    return never;
  }
}

/** Whoever runs here. */
export const acting = (): Actor | undefined => stage.getStore();

/** One call to a neighbour, by whichever handler runs here. `failure` is how it looks to the handler when it fails. */
export function calling<T>(
  call: Call,
  effect: () => T | Promise<T>,
  failure: () => T | Promise<T>,
): Promise<T> {
  const actor = stage.getStore();
  return actor ? actor.call(call, effect, failure) : Promise.resolve(effect());
}

/** Lets others go first; undefined outside a history. */
export const pauseInTurn = (): Promise<void> | undefined => stage.getStore()?.turn();

/** A neighbour whose every method is a call that the enemy may strike. */
export function struck<T extends object>(party: Call['party'], target: T): T {
  return new Proxy(target, {
    get: (object, name) => {
      const value: unknown = Reflect.get(object, name);
      if (typeof value !== 'function') return value;
      return (...parameters: unknown[]): Promise<unknown> =>
        calling(
          { party, name: String(name) },
          () => Reflect.apply(value, object, parameters) as unknown,
          () => Promise.reject(new Error(`The ${party} is out of reach.`)),
        );
    },
  });
}

/**
 * Runs several at once, one call at a time. `turns` chooses, of those who wait, who goes next; when it runs out, the first who
 * waits. A handler that waits for several calls of its own may be chosen for any of them.
 */
export async function together(
  runs: readonly { actor: Actor; work: () => Promise<unknown> }[],
  turns: readonly number[],
): Promise<void> {
  const waiting: { order: number; go: () => void }[] = [];
  const running = new Set(runs);
  const ended = runs.map(async (run, order) => {
    const { actor, work } = run;
    actor.takesTurns(() => new Promise((go) => waiting.push({ order, go })));
    await work().finally(() => running.delete(run));
  });
  for (let turn = 0; running.size > 0;) {
    // Whoever has had a turn gets to the next call, or to the end.
    await new Promise(setImmediate);
    if (waiting.length === 0) continue;
    waiting.sort((a, b) => a.order - b.order);
    const [next] = waiting.splice((turns[turn] ?? 0) % waiting.length, 1);
    turn += 1;
    next?.go();
  }
  await Promise.all(ended);
}
