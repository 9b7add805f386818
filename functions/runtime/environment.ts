import { type Environment, type Need, needs } from '../../schemas/environment.ts';

/**
 * The variables these needs bring, from the function's environment. Throws at the first one that is missing or
 * malformed: a function that isn't set up must not start.
 */
export function environment<N extends Need>(...wanted: readonly N[]): Environment<N> {
  const variables: Record<string, string> = {};
  for (const need of wanted) {
    for (const [name, schema] of Object.entries(needs[need])) {
      const parsed = schema.safeParse(process.env[name]);
      if (!parsed.success) throw new Error(`The environment variable ${name} is missing or malformed.`);
      variables[name] = parsed.data;
    }
  }
  return variables as Environment<N>;
}
