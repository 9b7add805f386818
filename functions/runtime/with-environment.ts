import { type Environment, type Need, needs as variablesOf } from '../../schemas/environment.ts';

/**
 * A Lambda handler that composes its dependencies at the first call, from the environment variables of its
 * needs. Needs come from the route table or from `backgroundFunctions`, which the stack grants from: a
 * handler can't read a variable that its entry doesn't name.
 *
 * Throws at the first call if a variable is missing or malformed.
 */
export function withEnvironment<N extends Need, Parameters extends unknown[], Result>(
  needs: readonly N[],
  compose: (environment: Environment<N>) => (...parameters: Parameters) => Result,
): (...parameters: Parameters) => Result {
  let composed: ((...parameters: Parameters) => Result) | undefined;
  return (...parameters) => {
    composed ??= compose(environmentOf(needs));
    return composed(...parameters);
  };
}

function environmentOf<N extends Need>(needs: readonly N[]): Environment<N> {
  const variables: Record<string, string> = {};
  for (const need of needs) {
    for (const [name, schema] of Object.entries(variablesOf[need])) {
      const parsed = schema.safeParse(process.env[name]);
      if (!parsed.success) throw new Error(`The environment variable ${name} is missing or malformed.`);
      variables[name] = parsed.data;
    }
  }
  return variables as Environment<N>;
}
