import { type RefusalCode, refusals } from '../../schemas/refusal.ts';

/** An expected failure, which the caller is told. Any other thrown error is a bug and answers 500. */
export class Refusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode) {
    super(refusals[code].sentence);
    this.name = 'Refusal';
    this.code = code;
  }
}
