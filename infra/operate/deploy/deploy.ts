import { spawn } from 'node:child_process';
import path from 'node:path';
import { Stripe } from 'stripe';
import { product } from '../../../schemas/product.ts';
import { secretNames } from '../../stages/secret-names.ts';
import { preflight } from './preflight.ts';
import { readSecret } from './secret-store.ts';
import { sentenceOf } from './sentence-of.ts';
import { setUpStripe } from './set-up-stripe.ts';
import { describeStack, isToBeCreated, outputsOf } from './stack-state.ts';
import { stageNameFrom } from '../stage-name-from.ts';
import { type Target, targetOf } from './target.ts';

/** Runs the CDK CLI and resolves with its exit code. */
type Cdk = (parameters: readonly string[]) => Promise<number | null>;

const root = path.resolve(import.meta.dirname, '../../..');

/** The CLI builds the site first, with the buttons of the stage's providers. */
const cdk =
  ({ stage }: Target): Cdk =>
  (parameters) =>
    new Promise((resolve, reject) => {
      const child = spawn(path.join(root, 'node_modules/.bin/cdk'), parameters, {
        cwd: root,
        stdio: 'inherit',
        env: { ...process.env, SELFSAME_PROVIDERS: stage.providers.join() },
      });
      child.once('error', reject).once('close', resolve);
    });

interface Deployment {
  target: Target;
  /** Additional parameters for `cdk deploy`. */
  parameters?: readonly string[];
  run?: Cdk;
  say: (line: string) => void;
}

/**
 * Deploys a stage: preflight, stack, Stripe. Resolves with whether everything succeeded. Each part is safe to
 * repeat.
 *
 * The first deployment of a stage that keeps its data has two passes. The first protects nothing from
 * deletion, so that CloudFormation can clean up after a failure. The second turns the protection on.
 */
export async function deploy({
  target,
  parameters = [],
  run = cdk(target),
  say,
}: Deployment): Promise<boolean> {
  const { errors } = await preflight(target, say);
  if (errors > 0) return false;
  const isFirst = target.stage.keepsData && isToBeCreated(await describeStack(target));
  const context = await contextOf(target);
  const command = ['deploy', target.stackName, ...context, ...parameters];
  if (isFirst) {
    say('First deployment, without deletion protection.');
    if ((await run([...command, '--context', `${product.slug}:first=${target.stageName}`])) !== 0)
      return false;
    say('Turning on deletion protection.');
  }
  if ((await run(command)) !== 0) return false;
  const outputs = await outputsOf(target);
  // The next steps come first, since the stack is up whatever Stripe says.
  for (const line of nextSteps(target, outputs)) say(line);
  try {
    await setUpStripe(target, outputs['WebhookUrl'] ?? '', say);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof Stripe.errors.StripeError)) throw thrown;
    say(
      `The stack is deployed, and Stripe is not set up, since it refuses: ${sentenceOf(thrown)} ` +
        `If a permission is missing, .github/deploying.md lists all of them. Then repeat: npm run deploy:${target.stageName}`,
    );
    return false;
  }
}

/** The version of Google's secret, so that CloudFormation reads a changed secret again. */
async function contextOf({ secrets, stage, stageName }: Target): Promise<string[]> {
  if (!stage.providers.includes('google')) return [];
  const stored = await readSecret(secrets, secretNames(stageName).google);
  if (stored === undefined || stored === 'deleted') return [];
  return ['--context', `${product.slug}:googleSecretVersion=${stored.version}`];
}

/** Every DNS record to create, and every address to enter elsewhere. All steps are safe to repeat. */
export function nextSteps({ stage }: Target, outputs: Record<string, string>): string[] {
  const has = (provider: 'google' | 'github') => stage.providers.includes(provider);
  const mailRecords = Object.entries(outputs).filter(([name]) => name.startsWith('MailRecord'));
  return [
    `The site: ${outputs['SiteUrl']}`,
    'DNS records, where the domains are registered:',
    ...mailRecords.map(([name, record]) => `  ${name}: ${record}`),
    ...(stage.domain ? [`  ${stage.domain.name} CNAME (or ALIAS) ${outputs['DistributionDomain']}`] : []),
    ...(has('google')
      ? [`Google, the OAuth client's Authorized redirect URI: ${outputs['SignInCallback']}`]
      : []),
    ...(has('github')
      ? [`GitHub, the OAuth app's Authorization callback URL: ${outputs['GitHubCallback']}`]
      : []),
    `Stripe, the account's API version: ${Stripe.API_VERSION}, or a later one.`,
    `Alarms: ${stage.alarmEmail} gets a mail from AWS once for each topic; the link in each has to be clicked.`,
  ];
}

if (import.meta.main) {
  const target = targetOf(stageNameFrom(process.argv.slice(2)));
  const succeeded = await deploy({ target, parameters: process.argv.slice(3), say: console.log });
  process.exitCode = succeeded ? 0 : 1;
}
