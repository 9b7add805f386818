import { type Check, runChecks, type Summary } from './check.ts';
import { bootstrap, credentials, lambdaQuota } from './checks/account.ts';
import { domain } from './checks/domain.ts';
import { mail } from './checks/mail.ts';
import { newPool } from './checks/new-pool.ts';
import { secrets } from './checks/secrets.ts';
import { settings } from './checks/settings.ts';
import { signInPrefix } from './checks/sign-in-prefix.ts';
import { stack } from './checks/stack.ts';
import { stripe } from './checks/stripe.ts';
import { stageNameFrom } from '../stage-name-from.ts';
import { type Target, targetOf } from './target.ts';

const checksOf = (target: Target): Check[] => [
  settings(target),
  credentials(target),
  bootstrap(target),
  lambdaQuota(target),
  stack(target),
  newPool(target),
  signInPrefix(target),
  secrets(target),
  stripe(target),
  mail(target),
  domain(target),
];

/** Runs all checks before a deployment. Changes nothing. */
export async function preflight(target: Target, say: (line: string) => void): Promise<Summary> {
  say(`Preflight of ${target.stackName} in ${target.stage.region}. Nothing is changed.`);
  const summary = await runChecks(checksOf(target), say);
  const { errors, warnings, skipped } = summary;
  const unchecked = skipped > 0 ? `, ${skipped} checks left out` : '';
  say(
    errors > 0
      ? `Not ready: ${errors} errors, ${warnings} warnings${unchecked}.`
      : `Ready to deploy, with ${warnings} warnings.`,
  );
  return summary;
}

export async function run(parameters: readonly string[]): Promise<void> {
  const { errors } = await preflight(targetOf(stageNameFrom(parameters)), console.log);
  process.exitCode = errors > 0 ? 1 : 0;
}
