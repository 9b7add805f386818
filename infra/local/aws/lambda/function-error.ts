import type { InvocationFailure } from './runtime.ts';

/** A failed invocation, with the fields that Lambda gives its callers. */
export class FunctionError extends Error {
  override name = 'FunctionError';
  readonly errorType: string;
  readonly errorMessage: string;

  constructor({ errorType, errorMessage }: InvocationFailure) {
    super(`${errorType}: ${errorMessage}`);
    this.errorType = errorType;
    this.errorMessage = errorMessage;
  }
}
