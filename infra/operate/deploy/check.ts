import { sentenceOf } from './sentence-of.ts';

/** A problem that a check found. Only an `error` stops a deployment. A `note` is no problem. */
export interface Finding {
  kind: 'error' | 'warning' | 'note';
  /** A sentence: what is missing. */
  says: string;
  /** The command or the edit that fixes the problem. */
  fix: string;
}

/** A condition for a deployment. A check only reads. */
export interface Check {
  name: string;
  /** Whether the check needs AWS credentials. Without credentials, it is skipped. */
  needsCredentials: boolean;
  /** Whether a deployment could do harm if the check can't run. A missing right is an error then, too. */
  mustBeAsked?: boolean;
  run: () => Promise<Finding[]>;
}

export const error = (says: string, fix: string): Finding => ({ kind: 'error', says, fix });
export const warning = (says: string, fix: string): Finding => ({ kind: 'warning', says, fix });
export const note = (says: string, fix: string): Finding => ({ kind: 'note', says, fix });

export interface Summary {
  errors: number;
  warnings: number;
  skipped: number;
}

/**
 * Runs all checks in order, whatever the others find. Checks that need credentials come after the check of
 * credentials. `say` gets a line as each check ends, and lines for each problem and its fix.
 */
export async function runChecks(checks: readonly Check[], say: (line: string) => void): Promise<Summary> {
  const summary: Summary = { errors: 0, warnings: 0, skipped: 0 };
  let hasCredentials = true;
  for (const [index, { name, needsCredentials, mustBeAsked = false, run }] of checks.entries()) {
    const place = `[${index + 1}/${checks.length}] ${name}`;
    if (needsCredentials && !hasCredentials) {
      summary.skipped += 1;
      say(`${place}: skipped, there are no credentials`);
      continue;
    }
    const findings = await run().catch((thrown: unknown) => [notAsked(thrown, mustBeAsked)]);
    const count = (of: Finding['kind']) => findings.filter(({ kind }) => kind === of).length;
    const [errors, warnings] = [count('error'), count('warning')];
    if (name === CREDENTIALS) hasCredentials = errors === 0;
    summary.errors += errors;
    summary.warnings += warnings;
    say(`${place}: ${errors > 0 ? 'failed' : warnings > 0 ? 'warning' : 'ok'}`);
    for (const { kind, says, fix } of findings) {
      say(`  ${kind}: ${says}`);
      for (const line of fix.split('\n')) say(`    ${line}`);
    }
  }
  return summary;
}

/** Name of the check whose failure skips all checks that need credentials. */
export const CREDENTIALS = 'AWS credentials';

/** A deployer may lack the right to run a check. This only stops a deployment for checks that must run. */
function notAsked(thrown: unknown, mustBeAsked: boolean): Finding {
  const name = thrown instanceof Error ? thrown.name : '';
  const message = sentenceOf(thrown);
  if (/AccessDenied|NotAuthorized|Unauthorized/.test(name)) {
    return mustBeAsked
      ? error(`This must be checked and could not be: ${message}`, 'Allow the deployer to read this.')
      : warning(
          `This could not be checked: ${message}`,
          'Allow the deployer to read this, or check by hand.',
        );
  }
  return error(`This could not be checked: ${message}`, 'Run the preflight again; it changes nothing.');
}
