import { AsyncLocalStorage } from 'node:async_hooks';
import type { DependencyCall, Fault, FaultKind, Outcome } from './fault.ts';

const never = new Promise<never>(() => {});
const actors = new AsyncLocalStorage<Actor>();

/** Runs one action, records its calls to dependencies and injects at most one fault into them. */
export class Actor {
  readonly calls: DependencyCall[] = [];
  /** By account: the account's `eventCount` when this action last read its subscriptions from Stripe. */
  readonly eventsSeen = new Map<string, number>();
  /** The call that the fault was injected into. Undefined until then. */
  injected: (DependencyCall & { fault: FaultKind }) | undefined;
  /** Whether a user's request, a schedule or a webhook runs, and not a person at Stripe. */
  runsHandler = false;
  /** Whether the subscriber cancels the plan. */
  cancels = false;
  /** Whether Stripe refused a call of this action. */
  wasRefused = false;
  readonly #fault: Fault | undefined;
  readonly #crash = Promise.withResolvers<Outcome<never>>();
  #hasCrashed = false;
  #waitForTurn: (() => Promise<void>) | undefined;

  constructor(fault?: Fault) {
    this.#fault = fault;
  }

  /** Whether a call of this action failed by a fault, or was refused by Stripe. */
  get metFault(): boolean {
    return this.injected !== undefined || this.wasRefused;
  }

  /** Whether another action runs meanwhile. */
  get isInterleaved(): boolean {
    return this.#waitForTurn !== undefined;
  }

  /** Makes every later call wait for its turn. */
  interleaveWith(waitForTurn: () => Promise<void>): void {
    this.#waitForTurn = waitForTurn;
  }

  perform<T>(work: () => Promise<T>): Promise<Outcome<T>> {
    const outcome = actors.run(this, work).then(
      (value): Outcome<T> => ({ kind: 'answered', value }),
      (error: unknown): Outcome<T> => ({ kind: 'threw', error }),
    );
    return Promise.race([outcome, this.#crash.promise]);
  }

  async awaitTurn(): Promise<void> {
    await this.#waitForTurn?.();
    if (this.#hasCrashed) await never;
  }

  async call<T>(
    call: DependencyCall,
    effect: () => T | Promise<T>,
    failure: () => T | Promise<T>,
  ): Promise<T> {
    await this.awaitTurn();
    const fault = this.calls.length === this.#fault?.at ? this.#fault.kind : undefined;
    this.calls.push(call);
    if (fault) this.injected = { ...call, fault };
    switch (fault) {
      case 'fails before':
        return failure();
      case 'fails after':
        await effect();
        return failure();
      case 'is repeated':
        await effect();
        return effect();
      case 'crashes before':
        return this.#crashNow();
      case 'crashes after':
        await effect();
        return this.#crashNow();
      default:
        return effect();
    }
  }

  #crashNow(): Promise<never> {
    this.#hasCrashed = true;
    this.#crash.resolve({ kind: 'crashed' });
    return never;
  }
}

/** The actor whose action this code runs in. Undefined outside a simulation. */
export const currentActor = (): Actor | undefined => actors.getStore();

/** Makes a call as the current actor. `failure` produces what the handler sees when the call fails. */
export function interceptCall<T>(
  call: DependencyCall,
  effect: () => T | Promise<T>,
  failure: () => T | Promise<T>,
): Promise<T> {
  const actor = actors.getStore();
  return actor ? actor.call(call, effect, failure) : Promise.resolve(effect());
}
