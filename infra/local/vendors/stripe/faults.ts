import { invalid, keyInUse, lockTimeout, rateLimited, serverError, StripeRefusal } from './errors.ts';

/** Stripe's reaction in place of an answer. `dropped-…`: the connection, before or after the execution. */
export type FaultName =
  | 'bad-request'
  | 'not-found'
  | 'lock-timeout'
  | 'key-in-use'
  | 'rate-limited'
  | 'rate-limited-with-retry-after'
  | 'server-error'
  | 'dropped-before'
  | 'dropped-after';

export interface Fault {
  fault: FaultName;
  method: 'GET' | 'POST' | 'DELETE';
  /** The path as in the routes: `/v1/invoices/:id/void`. */
  path: string;
  /** Only requests with this id in their path, query or body. */
  mentions?: string;
}

/** The connection ends without an answer. The code is Node's for a closed socket. */
export class ConnectionDropped extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('socket hang up');
  }
}

interface Pending {
  fault: Fault;
  pattern: RegExp;
  once: boolean;
}

/** Faults that wait for requests, kept in memory only. */
export class Faults {
  readonly #pending = new Set<Pending>();

  /** Adds a fault for the next matching request. */
  add(fault: Fault): void {
    this.#pending.add(pendingOf(fault, true));
  }

  /** Adds a fault for every matching request. Returns a function that removes it. */
  addLasting(fault: Fault): () => void {
    const pending = pendingOf(fault, false);
    this.#pending.add(pending);
    return () => this.#pending.delete(pending);
  }

  clear(): void {
    this.#pending.clear();
  }

  /**
   * The first fault that matches the request. A request that is `replayed` from its idempotency key is not
   * executed, so only faults that come before the execution, or after the answer, match it.
   */
  take(request: { method: string; url: URL; body: string }, replayed: boolean): FaultName | undefined {
    for (const pending of this.#pending) {
      const { fault, method, mentions } = pending.fault;
      if (method !== request.method || !pending.pattern.test(request.url.pathname)) continue;
      if (mentions !== undefined && !`${request.url.href}\n${request.body}`.includes(mentions)) continue;
      if (replayed && isExecuted(fault)) continue;
      if (pending.once) this.#pending.delete(pending);
      return fault;
    }
    return undefined;
  }
}

const pendingOf = (fault: Fault, once: boolean): Pending => ({
  fault,
  pattern: new RegExp(`^${fault.path.replace(':id', '[^/]+')}$`),
  once,
});

/** Whether the endpoint has begun to execute, so that the refusal is saved under an idempotency key. */
const isExecuted = (fault: FaultName): boolean =>
  fault === 'bad-request' || fault === 'not-found' || fault === 'server-error';

/** Throws the fault's effect on a request before its execution. `key`: the request's idempotency key. */
export function raise(fault: FaultName | undefined, key: string | undefined): void {
  switch (fault) {
    case undefined:
    case 'dropped-after':
      return;
    case 'bad-request':
      // A refusal that no client can expect.
      throw invalid('This can not be done at this time.');
    case 'not-found':
      // The refusal for an object that existed before.
      throw new StripeRefusal(404, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: 'No such object.',
        param: 'id',
      });
    case 'lock-timeout':
      throw lockTimeout();
    case 'key-in-use':
      throw keyInUse(key ?? '');
    case 'rate-limited':
      throw rateLimited();
    case 'rate-limited-with-retry-after':
      throw rateLimited(1);
    case 'server-error':
      throw serverError();
    case 'dropped-before':
      throw new ConnectionDropped();
  }
}
