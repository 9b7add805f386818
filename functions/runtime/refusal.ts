import { type RefusalCode, refusals } from '../../schemas/refusal.ts';
import type { Endpoint, RefusalsOf } from '../../schemas/routes/endpoint.ts';

/** An expected failure, sent to the caller. Any other thrown error is a bug and answers 500. */
export class Refusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode) {
    super(refusals[code].sentence);
    this.name = 'Refusal';
    this.code = code;
  }
}

/** Codes that a handler of the route may refuse with: its own, and `busy` where it needs Stripe. */
type CodeOf<E extends Endpoint> =
  | RefusalsOf<E>
  | 'bad-request'
  | ('stripe' extends E['needs'][number] ? 'busy' : never);

/** A refusal by the handler of the endpoint. `/openapi.json` lists its codes, and others don't compile. */
export const refusal = <E extends Endpoint>(_: E, code: CodeOf<E>): Refusal => new Refusal(code);
