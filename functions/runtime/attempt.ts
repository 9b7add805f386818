import type { LogEvent, LogEvents } from '../../schemas/config/log-events.ts';
import { log } from './log.ts';

/** Does `work`, whose failure is only logged. Resolves with its result, or undefined after a failure. */
export async function attempt<E extends LogEvent, Result>(
  event: E,
  fields: LogEvents[E],
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    log.error(event, fields, error);
    return undefined;
  }
}
