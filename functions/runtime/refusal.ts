import { type RefusalCode, refusals } from '../../schemas/refusal.ts';
import type { Endpoint } from '../../schemas/routes/endpoint.ts';

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
  | E['refusals'][number]
  | 'bad-request'
  | ('stripe' extends E['needs'][number] ? 'busy' : never);

/** Makes the refusals of a route's handler, which `/openapi.json` lists: other codes don't compile. */
export const refusalsOf =
  <E extends Endpoint>() =>
  (code: CodeOf<E>): Refusal =>
    new Refusal(code);
