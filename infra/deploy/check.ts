import { sentenceOf } from './sentence-of.ts';

/** What a check found. An `error` stops a deployment; a `warning` is told. */
export interface Finding {
  kind: 'error' | 'warning';
  /** One sentence: what is missing. */
  says: string;
  /** The command, or the edit, that mends it. */
  mend: string;
}

/** Something that has to be so before a deployment. It only reads. */
export interface Check {
  name: string;
  /** Without credentials for AWS, such a check isn't run. */
  needsCredentials: boolean;
  /** Whether a deployment could do harm if this can't be asked. Then a right that lacks is an error, too. */
  mustBeAsked?: boolean;
  run: () => Promise<Finding[]>;
}

export const error = (says: string, mend: string): Finding => ({ kind: 'error', says, mend });
export const warning = (says: string, mend: string): Finding => ({ kind: 'warning', says, mend });

export interface Summary {
  errors: number;
  warnings: number;
  skipped: number;
}

/**
 * Runs all checks, one after the other, whatever the others find. Checks that need credentials come after the
 * one about them. `say` gets a line as each check ends, and lines for each finding and its mend.
 */
export async function runChecks(checks: readonly Check[], say: (line: string) => void): Promise<Summary> {
  const summary: Summary = { errors: 0, warnings: 0, skipped: 0 };
  let hasCredentials = true;
  for (const [index, { name, needsCredentials, mustBeAsked = false, run }] of checks.entries()) {
    const place = `[${index + 1}/${checks.length}] ${name}`;
    if (needsCredentials && !hasCredentials) {
      summary.skipped += 1;
      say(`${place}: not checked, there are no credentials`);
      continue;
    }
    const findings = await run().catch((thrown: unknown) => [notAsked(thrown, mustBeAsked)]);
    const errors = findings.filter(({ kind }) => kind === 'error').length;
    if (name === CREDENTIALS) hasCredentials = errors === 0;
    summary.errors += errors;
    summary.warnings += findings.length - errors;
    say(`${place}: ${errors > 0 ? 'failed' : findings.length > 0 ? 'warning' : 'ok'}`);
    for (const { kind, says, mend } of findings) {
      say(`  ${kind}: ${says}`);
      for (const line of mend.split('\n')) say(`    ${line}`);
    }
  }
  return summary;
}

/** Name of the check whose failure leaves the others unasked. */
export const CREDENTIALS = 'AWS credentials';

/** A deployer may lack the right to ask. That alone stops nothing but what must be asked. */
function notAsked(thrown: unknown, mustBeAsked: boolean): Finding {
  const name = thrown instanceof Error ? thrown.name : '';
  const message = sentenceOf(thrown);
  if (/AccessDenied|NotAuthorized|Unauthorized/.test(name)) {
    return mustBeAsked
      ? error(`This has to be asked, and could not: ${message}`, 'Allow the deployer to read this.')
      : warning(`This could not be asked: ${message}`, 'Allow the deployer to read this, or look by hand.');
  }
  return error(`This could not be asked: ${message}`, 'Run the preflight again; it changes nothing.');
}
