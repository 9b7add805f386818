import { type Access, type Environment, environmentSchemas } from '../../schemas/config/environment.ts';

/**
 * A Lambda handler that composes its dependencies at the first call, from the variables of its access: its
 * entry in the route table or in `backgroundFunctions`, from which the stack derives its rights too. Throws
 * at the first call if a variable is missing or malformed.
 */
export function withEnvironment<const A extends Access, Parameters extends unknown[], Result>(
  access: A,
  compose: (environment: Environment<A>) => (...parameters: Parameters) => Result,
): (...parameters: Parameters) => Result {
  let composed: ((...parameters: Parameters) => Result) | undefined;
  return (...parameters) => {
    composed ??= compose(environmentOf(access));
    return composed(...parameters);
  };
}

/** The site's origin, for handlers that write links. */
export const siteUrl = ({ SITE_URL }: { SITE_URL: string }): string => SITE_URL;

/** The adapters that these factories make, each from a function's environment. */
export type Made<F> = { [N in keyof F]: F[N] extends (of: never) => infer Adapter ? Adapter : never };

export const made = <E, F extends Record<string, (of: E) => unknown>>(factories: F, environment: E) =>
  Object.fromEntries(
    Object.entries(factories).map(([name, factory]) => [name, factory(environment)]),
  ) as Made<F>;

/** `withEnvironment` for a handler that depends on these adapters alone. `with`: makes it with others. */
export const withAdapters = <
  const A extends Access,
  F extends Record<string, (of: Environment<A>) => unknown>,
  Parameters extends unknown[],
  Result,
>(
  access: A,
  factories: F,
  compose: (adapters: Made<F>) => (...parameters: Parameters) => Result,
) =>
  Object.assign(
    withEnvironment(access, (environment) => compose(made(factories, environment))),
    { with: compose },
  );

function environmentOf<A extends Access>(access: A): Environment<A> {
  const variables: Record<string, string> = {};
  for (const [name, schema] of Object.entries(environmentSchemas(access))) {
    const parsed = schema.safeParse(process.env[name]);
    if (!parsed.success) throw new Error(`The environment variable ${name} is missing or malformed.`);
    variables[name] = parsed.data;
  }
  return variables as Environment<A>;
}
