import type { ErrorBody } from './errors.ts';
import { read, type Fields, type Input } from './fields.ts';
import type { Form } from './form.ts';
import type { Ledger } from './ledger.ts';

/** A refusal whose doing lasts: a declined charge stays on the books. Anything thrown is undone instead. */
export class KeptRefusal {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    this.status = status;
    this.body = body;
  }
}

export interface Call<F extends Fields> {
  ledger: Ledger;
  input: Input<F>;
  /** What stands in the path where it says `:id`; empty where it doesn't. */
  id: string;
}

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  pattern: RegExp;
  /** Answers with an object, or a `KeptRefusal`. `form` without `expand`, which every route takes alike. */
  handle(ledger: Ledger, id: string, form: Form): object;
}

/** `path` has at most one `:id`. What isn't in `fields` is refused. */
export function route<F extends Fields>(
  method: Route['method'],
  path: string,
  fields: F,
  handle: (call: Call<F>) => object,
): Route {
  return {
    method,
    pattern: new RegExp(`^${path.replace(':id', '([^/]+)')}$`),
    handle: (ledger, id, form) => handle({ ledger, id, input: read(fields, form) }),
  };
}
