import { AsyncLocalStorage } from 'node:async_hooks';
import { inspect } from 'node:util';
import { countedEvents } from '../../schemas/config/counted-events.ts';
import type { LogEvent, LogEvents } from '../../schemas/config/log-events.ts';
import { metric } from './metric.ts';

/**
 * Writes log lines: an event and its fields, and for errors name, message and stack. E-mail addresses are
 * removed from every text, because errors of Stripe and SES repeat them. An error object itself is never
 * logged, since it can carry the request that failed.
 */
export const log = {
  info<E extends LogEvent>(event: E, fields: LogEvents[E]): void {
    console.info(withoutAddresses({ event, ...request.getStore(), ...fields }));
    count(event, fields);
  },
  error<E extends LogEvent>(event: E, fields: LogEvents[E], error?: unknown): void {
    console.error(withoutAddresses({ event, ...request.getStore(), ...fields, ...described(error) }));
    count(event, fields);
  },
};

function count<E extends LogEvent>(event: E, fields: LogEvents[E]): void {
  const name = countedEvents[event]?.(fields);
  if (name !== undefined) metric(name);
}

const request = new AsyncLocalStorage<{ requestId: string }>();

/** Does `work`, and adds the request's id to every line that it logs. */
export const logAsRequest = <T>(requestId: string, work: () => T): T => request.run({ requestId }, work);

/** An error as text, without e-mail addresses. */
export const textOf = (error: unknown) => (described(error).error ?? '').replaceAll(ADDRESS, ADDRESS_REMOVED);

function described(error: unknown): { error?: string; stack?: string | undefined } {
  if (error === undefined) return {};
  return error instanceof Error
    ? { error: `${error.name}: ${error.message}`, stack: error.stack }
    : { error: inspect(error) };
}

const ADDRESS_REMOVED = '(an address)';
const ADDRESS = /[\w.%+-]+@[\w-]+(?:\.[\w-]+)+/g;

const withoutAddresses = (line: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(line).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(ADDRESS, ADDRESS_REMOVED) : value,
    ]),
  );
