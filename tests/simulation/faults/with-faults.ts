import { interceptCall } from './actor.ts';
import type { DependencyCall } from './fault.ts';

/** A dependency with a fault possible at each call of a method. */
export function withFaults<T extends object>(dependency: DependencyCall['dependency'], target: T): T {
  return new Proxy(target, {
    get: (object, name) => {
      const value: unknown = Reflect.get(object, name);
      if (typeof value !== 'function') return value;
      return (...parameters: unknown[]): Promise<unknown> =>
        interceptCall(
          { dependency, name: String(name) },
          () => Reflect.apply(value, object, parameters) as unknown,
          () => Promise.reject(new Error(`The ${dependency} is out of reach.`)),
        );
    },
  });
}
