import type { Collection } from '../../base/store.ts';
import { type ErrorBody, missing } from './errors.ts';
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
  path: string;
  pattern: RegExp;
  /** The names of all parameters but `expand`. Others are refused. */
  parameters: readonly string[];
  /** Validates the parameters; the work returns an object or a `RecordedRefusal`. `form` lacks `expand`. */
  prepare(ledger: Ledger, id: string, form: Form): () => object;
}

/** The object in a path. `kind` and `param` are the names in the refusal. */
export function inPath<T>(objects: Collection<T>, id: string, kind: string, param?: string): T {
  const object = objects.get(id);
  if (!object) throw missing(kind, id, param);
  return object;
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
    path,
    parameters: Object.keys(fields),
    pattern: new RegExp(`^${path.replace(':id', '([^/]+)')}$`),
    prepare: (ledger, id, form) => {
      const input = read(fields, form);
      return () => handle({ ledger, id, input });
    },
  };
}
