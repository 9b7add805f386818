import { invalid } from './errors.ts';

/** A decoded form: `a[b][0]=x` nests. Lists are forms with numbers as keys. */
export interface Form {
  [name: string]: FormValue;
}
export type FormValue = string | Form;

// Stripe's own parameters nest four deep. Deeper bodies are refused, since decoding is recursive.
const DEEPEST = 10;

/** Decodes `application/x-www-form-urlencoded` with nested brackets. */
export function decodeForm(text: string): Form {
  const form = emptyForm();
  for (const [name, value] of new URLSearchParams(text)) put(form, pathOf(name), value);
  return form;
}

/** A parameter's name in Stripe's errors, like `subscription_data[metadata][user_id]`. */
export const nameOf = (parent: string, name: string): string => (parent ? `${parent}[${name}]` : name);

// Without a prototype, `__proto__` and `constructor` are ordinary names.
const emptyForm = (): Form => Object.create(null) as Form;

function pathOf(name: string): string[] {
  const bracket = name.indexOf('[');
  if (bracket === -1) return [name];
  const inner = [...name.slice(bracket).matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1] ?? '');
  return [name.slice(0, bracket), ...inner];
}

function put(form: Form, path: string[], value: string): void {
  const [first = '', ...rest] = path;
  if (path.length > DEEPEST) throw invalid(`Invalid parameter: ${first}`, first);
  // `expand[]=a` appends.
  const name = first === '' ? String(Object.keys(form).length) : first;
  if (rest.length === 0) {
    form[name] = value;
    return;
  }
  const existing = form[name];
  const inner = typeof existing === 'object' ? existing : emptyForm();
  form[name] = inner;
  put(inner, rest, value);
}
