import { invalid, parameterMissing } from './errors.ts';
import { nameOf, type Form, type FormValue } from './form.ts';

/** Parses one parameter. `name` is its name in errors. */
export type Field<T> = (value: FormValue, name: string) => T;
export interface Required<T> {
  required: Field<T>;
}
export type Fields = Record<string, Field<unknown> | Required<unknown>>;

type Read<F> = F extends Field<infer T> ? T : never;
/** The parsed parameters of `F`. Absent parameters stay absent. */
export type Input<F extends Fields> = {
  -readonly [K in keyof F as F[K] extends Field<unknown> ? K : never]?: Read<F[K]>;
} & {
  -readonly [K in keyof F as F[K] extends Required<unknown> ? K : never]: F[K] extends Required<infer T>
    ? T
    : never;
};

export const required = <T>(field: Field<T>): Required<T> => ({ required: field });

/** Parses a whole form. Unknown parameters are refused, as in Stripe. */
export function read<F extends Fields>(fields: F, form: Form, parent = ''): Input<F> {
  const unknown = Object.keys(form)
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => nameOf(parent, name));
  if (unknown.length > 0) {
    throw invalid(
      `Received unknown parameter${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}`,
      unknown[0],
      'parameter_unknown',
    );
  }
  const input: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = form[name];
    if (value !== undefined) {
      const reader = typeof field === 'function' ? field : field.required;
      input[name] = reader(value, nameOf(parent, name));
    } else if (typeof field !== 'function') {
      throw parameterMissing(nameOf(parent, name));
    }
  }
  return input as Input<F>;
}

const plain: Field<string> = (value, name) => {
  if (typeof value !== 'string') throw invalid('Invalid string', name);
  return value;
};

/** A non-empty string of at most 5,000 characters, which is Stripe's limit. */
export const text: Field<string> = (value, name) => {
  const string = plain(value, name);
  if (string === '') {
    throw invalid(
      `You passed an empty string for '${name}'. We assume empty values are an attempt to unset a parameter; ` +
        `however '${name}' cannot be unset. You should remove '${name}' from your request or supply a non-empty value.`,
      name,
      'parameter_invalid_empty',
    );
  }
  if (string.length > 5_000) {
    throw invalid(
      `Invalid string: must be at most 5000 characters`,
      name,
      'parameter_invalid_string_too_long',
    );
  }
  return string;
};

/** Null if the value is empty, the form encoding of null. */
export const nullable =
  <T>(field: Field<T>): Field<T | null> =>
  (value, name) =>
    value === '' ? null : field(value, name);

export const email: Field<string> = (value, name) => {
  const address = text(value, name);
  if (!/^[^\s@]+@[^\s@]+$/.test(address))
    throw invalid(`Invalid email address: ${address}`, name, 'email_invalid');
  return address;
};

export const url: Field<string> = (value, name) => {
  const address = text(value, name);
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
    throw invalid('Not a valid URL', name, 'url_invalid');
  return address;
};

/** Three or six hexadecimal digits after a `#`. */
export const color: Field<string> = (value, name) => {
  const string = plain(value, name);
  if (!/^#(?:[\da-f]{3}){1,2}$/i.test(string)) throw invalid(`Invalid hex color: ${string}`, name);
  return string;
};

export const integer: Field<number> = (value, name) => {
  const string = plain(value, name);
  if (!/^-?\d{1,15}$/.test(string))
    throw invalid(`Invalid integer: ${string}`, name, 'parameter_invalid_integer');
  return Number(string);
};

export const between =
  (least: number, most: number): Field<number> =>
  (value, name) => {
    const number = integer(value, name);
    if (number < least || number > most) {
      throw invalid(
        number < least
          ? `This value must be greater than or equal to ${least}.`
          : `This value must be less than or equal to ${most}.`,
        name,
        'parameter_invalid_integer',
      );
    }
    return number;
  };

export const flag: Field<boolean> = (value, name) => {
  const string = plain(value, name);
  if (string !== 'true' && string !== 'false') throw invalid(`Invalid boolean: ${string}`, name);
  return string === 'true';
};

export const oneOf =
  <const T extends string>(...values: T[]): Field<T> =>
  (value, name) => {
    const string = plain(value, name);
    const found = values.find((choice) => choice === string);
    if (found !== undefined) return found;
    const choices = values.length > 1 ? `${values.slice(0, -1).join(', ')} or ${values.at(-1)}` : values[0];
    throw invalid(`Invalid ${name}: must be one of ${choices}`, name);
  };

/** The elements of a list, ordered by their indices. */
export const list =
  <T>(field: Field<T>): Field<T[]> =>
  (value, name) => {
    if (typeof value !== 'object' || Object.keys(value).some((key) => !/^\d+$/.test(key))) {
      throw invalid('Invalid array', name);
    }
    return Object.entries(value)
      .toSorted(([a], [b]) => Number(a) - Number(b))
      .map(([key, element]) => field(element, nameOf(name, key)));
  };

export const object =
  <F extends Fields>(fields: F): Field<Input<F>> =>
  (value, name) => {
    if (typeof value !== 'object') throw invalid('Invalid object', name);
    return read(fields, value, name);
  };

/** A metadata update: an empty value removes its key, null removes all keys. */
export type MetadataUpdate = Record<string, string> | null;

// Stripe's limits: fifty keys of forty characters, with values of five hundred.
export const metadata: Field<MetadataUpdate> = (value, name) => {
  if (value === '') return null;
  if (typeof value !== 'object') throw invalid('Invalid object', name);
  const entries = Object.entries(value).map(([key, entry]) => {
    const string = plain(entry, nameOf(name, key));
    if (key.length > 40 || string.length > 500) {
      throw invalid('Metadata keys have at most 40 characters, values at most 500', nameOf(name, key));
    }
    return [key, string] as const;
  });
  if (entries.length > 50) throw invalid('Metadata can have up to 50 keys', name);
  return Object.fromEntries(entries);
};

export function updatedMetadata(
  existing: Record<string, string>,
  change: MetadataUpdate | undefined,
): Record<string, string> {
  if (change === undefined) return existing;
  if (change === null) return {};
  return Object.fromEntries(Object.entries({ ...existing, ...change }).filter(([, value]) => value !== ''));
}

export interface Range {
  gt?: number;
  gte?: number;
  lt?: number;
  lte?: number;
}

/** `created=5` or `created[gte]=5`, in Unix seconds. */
export const range: Field<Range> = (value, name) => {
  if (typeof value === 'object')
    return read({ gt: integer, gte: integer, lt: integer, lte: integer }, value, name);
  const moment = integer(value, name);
  return { gte: moment, lte: moment };
};

export const isInRange = (moment: number, { gt, gte, lt, lte }: Range): boolean =>
  (gt === undefined || moment > gt) &&
  (gte === undefined || moment >= gte) &&
  (lt === undefined || moment < lt) &&
  (lte === undefined || moment <= lte);
