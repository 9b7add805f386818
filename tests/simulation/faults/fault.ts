/**
 * The faults of a call from a handler to a dependency: the call fails without effect, or after its
 * effect; the client retries a call whose answer was lost; the handler crashes before the call, or after its
 * effect.
 */
export const faultKinds = [
  'fails before',
  'fails after',
  'is repeated',
  'crashes before',
  'crashes after',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** A fault at the handler's nth call, counted from 0. */
export interface Fault {
  at: number;
  kind: FaultKind;
}

/** A call from a handler to a dependency. */
export interface DependencyCall {
  dependency: 'Stripe' | 'table' | 'pool' | 'mail';
  name: string;
}

/** How a run of a handler ends. */
export type Outcome<T> =
  | { kind: 'answered'; value: T }
  | { kind: 'threw'; error: unknown }
  | { kind: 'crashed' };
