import { randomUUID } from 'node:crypto';
import type { Change } from './findings.ts';
import type { AuditTrail } from './audit.ts';
import { sentenceOf } from '../deploy/sentence-of.ts';

/**
 * Makes a change between two lines of the record, and resolves with the lines to print. Without the first
 * line, nothing is changed. Without the second line, the change is made, and the output says so.
 */
export async function doOnRecord({
  audit,
  now,
  who,
  change,
  reason,
}: {
  audit: Pick<AuditTrail, 'add'>;
  now: Date;
  /** Who runs the command. */
  who: string;
  change: Change;
  reason: string;
}): Promise<string[]> {
  const { action, id, detail, run } = change;
  const time = now.toISOString();
  const line = { id, time, run: randomUUID(), who, action, detail, reason };
  await audit.add({ ...line, state: 'begun' });
  let lines: string[];
  try {
    lines = await run();
  } catch (error) {
    // The command's error is the original failure, whether or not the record can be completed.
    await audit.add({ ...line, state: 'failed', failure: nameOf(error) }).catch(() => {});
    throw error;
  }
  try {
    await audit.add({ ...line, state: 'done' });
  } catch (error) {
    return [
      ...lines,
      `It is done: don't repeat it. The record says only that ${line.run} has begun, since its last line could not be written: ${sentenceOf(error)}`,
    ];
  }
  return [...lines, `On record: ${action} by ${who} (${line.run}).`];
}

/** A message may contain an address, and the line is kept longer than the account. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'Error');
