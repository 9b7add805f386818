import { interceptCall } from './actor.ts';
import type { DependencyCall } from './fault.ts';

/** A dependency with a fault possible at each call of a method. Only the first of several pages is a call. */
export function withFaults<T extends object>(dependency: DependencyCall['dependency'], target: T): T {
  return new Proxy(target, {
    get: (object, name) => {
      const value: unknown = Reflect.get(object, name);
      if (typeof value !== 'function') return value;
      const intercept = <R>(effect: () => R | Promise<R>): Promise<R> =>
        interceptCall({ dependency, name: String(name) }, effect, () =>
          Promise.reject(new Error(`The ${dependency} is out of reach.`)),
        );
      if (value.constructor.name !== 'AsyncGeneratorFunction') {
        return (...parameters: unknown[]): Promise<unknown> =>
          intercept(() => Reflect.apply(value, object, parameters) as unknown);
      }
      return async function* (...parameters: unknown[]) {
        const ask = () => Reflect.apply(value, object, parameters) as AsyncGenerator;
        let pages = ask();
        const first = await intercept(() => {
          // A repeated call asks for the first page again.
          pages = ask();
          return pages.next();
        });
        if (!first.done) yield first.value;
        yield* pages;
      };
    },
  });
}

/** The object with other methods. */
export const withMethods = <T extends object>(target: T, methods: Partial<T>): T =>
  new Proxy(target, {
    get(object, name): unknown {
      const value: unknown = Reflect.get(methods, name) ?? Reflect.get(object, name);
      return typeof value === 'function' ? (value.bind(object) as unknown) : value;
    },
  });
