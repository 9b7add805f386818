import type { ErrorBody } from './errors.ts';
import { read, type Fields, type Input } from './fields.ts';
import type { Form } from './form.ts';
import type { Ledger } from './ledger.ts';

/** A refusal whose effects stay: a declined charge is recorded. A thrown error undoes everything. */
export class RecordedRefusal {
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
  /** The value of `:id` in the path. Empty if the path has none. */
  id: string;
}

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  pattern: RegExp;
  /** Returns an object or a `KeptRefusal`. `form` is without `expand`, which every route takes. */
  handle(ledger: Ledger, id: string, form: Form): object;
}

/** `path` has at most one `:id`. Parameters that are not in `fields` are refused. */
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
