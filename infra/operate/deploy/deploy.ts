import { spawn } from 'node:child_process';
import path from 'node:path';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Stripe } from 'stripe';
import { product } from '../../../schemas/product/product.ts';
import { providers } from '../../../schemas/product/providers.ts';
import { providerModules } from '../../constructs/identity/providers/provider-modules.ts';
import { EDGE_REGION } from '../../stages/edge-region.ts';
import { secretNames } from '../../stages/secret-names.ts';
import { namesOf } from '../../stages/site-names.ts';
import { auditTrail } from '../support/audit.ts';
import { doOnRecord } from '../support/on-record.ts';
import { type Checkout, checkoutOf } from './checkout.ts';
import { preflight } from './preflight.ts';
import { createPrices } from './prices.ts';
import { rollBack } from './roll-back.ts';
import { readSecret } from './secret-store.ts';
import { sentenceOf } from './sentence-of.ts';
import { setUpStripe } from './set-up-stripe.ts';
import { trySmoke } from './smoke.ts';
import { stackResources } from './stack-resources.ts';
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
  /** The code that is deployed, as git knows it. */
  checkout: Checkout;
  /** The reason to deploy a checkout with problems. It is put on record. */
  override?: string | undefined;
  /** Additional parameters for `cdk deploy`. */
  parameters?: readonly string[];
  run?: Cdk;
  smoke?: typeof trySmoke;
  back?: typeof rollBack;
  say: (line: string) => void;
}

/** Deploys a stage if its checkout was reviewed, or else on record. Resolves with whether it succeeded. */
export async function deploy(deployment: Deployment): Promise<boolean> {
  const { target, checkout, override, say } = deployment;
  for (const problem of checkout.problems) say(problem);
  if (checkout.problems.length === 0) return deployReviewed(deployment);
  if (!override) {
    say(
      `Not deployed. In an emergency: npm run deploy:${target.stageName} -- --override "what can't wait for a review"`,
    );
    return false;
  }
  if (isToBeCreated(await describeStack(target))) return deployReviewed(deployment);
  const { Arn: who = '' } = await target.sts.send(new GetCallerIdentityCommand());
  let succeeded = false;
  const run = async (): Promise<string[]> => {
    succeeded = await deployReviewed(deployment);
    return [];
  };
  const detail = `${checkout.commit}: ${checkout.problems.join(' ')}`;
  const change = { action: 'deploy', id: target.stackName, detail, run };
  const { SupportAuditTable = '' } = await outputsOf(target);
  const audit = auditTrail(SupportAuditTable, DynamoDBDocumentClient.from(target.dynamodb));
  for (const line of await doOnRecord({ audit, now: new Date(), who, change, reason: override })) say(line);
  return succeeded;
}

/** Resolves with whether Stripe has allowed the work. Says what to do if it hasn't. */
async function unlessRefused(
  sentence: string,
  { target, say }: Pick<Deployment, 'target' | 'say'>,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (thrown) {
    if (!(thrown instanceof Stripe.errors.StripeError)) throw thrown;
    say(
      `${sentence}: ${sentenceOf(thrown)} ` +
        `If a permission is missing, .github/deploying.md lists all of them. Then repeat: npm run deploy:${target.stageName}`,
    );
    return false;
  }
}

/**
 * Preflight, stack, Stripe, smoke check. Each part is safe to repeat. If the smoke check fails, a stage that
 * keeps its data goes back to the release before, unless the deployer names the alarms to watch, or `none`.
 * .github/decisions/0043-first-deployment.md says why a first deployment has two passes.
 */
async function deployReviewed({
  target,
  checkout,
  parameters = [],
  run = cdk(target),
  smoke = trySmoke,
  back = rollBack,
  say,
}: Deployment): Promise<boolean> {
  const { errors } = await preflight(target, say);
  if (errors > 0) return false;
  // Before the stack: a new version reads the prices of its offers with its first request.
  const hasPrices = await unlessRefused('Nothing is deployed, since Stripe refuses', { target, say }, () =>
    createPrices(target, say),
  );
  if (!hasPrices) return false;
  const isFirst = isToBeCreated(await describeStack(target));
  const context = [...(await contextOf(target)), '--context', `${product.slug}:commit=${checkout.commit}`];
  const isWatched =
    target.stage.keepsData && !isFirst && !parameters.some((each) => each.startsWith(TRIGGERS));
  const triggers = isWatched ? await rollbackTriggers(target) : [];
  const stack = [target.stackName, ...context];
  if (triggers.length > 0 && target.stage.firewall && target.stage.region !== EDGE_REGION) {
    // Alarms have to be in the stack's region, and the CDK CLI gives them to every stack of a command.
    if ((await run(['deploy', `${target.stackName}-edge`, ...context, ...parameters])) !== 0) return false;
    stack.push('--exclusively');
  }
  const command = ['deploy', ...stack, ...triggers, ...parameters];
  if (isFirst) {
    say('First deployment, first pass: nothing is protected from deletion.');
    if ((await run([...command, '--context', `${product.slug}:first=${target.stageName}`])) !== 0)
      return false;
    say('Second pass: protection, and a change of the user pool.');
  }
  if ((await run(command)) !== 0) return false;
  const outputs = await outputsOf(target);
  // The next steps come first, since the stack is up whatever Stripe says.
  for (const line of nextSteps(target, outputs)) say(line);
  const isSetUp = await unlessRefused(
    'The stack is deployed, and Stripe is not set up, since it refuses',
    { target, say },
    () => setUpStripe(target, outputs['WebhookUrl'] ?? '', say),
  );
  if (!isSetUp) return false;
  if (await smoke({ target, outputs, say })) return true;
  say(
    `The stage is deployed and doesn't work. To roll it back: npm run ops -- roll-back ${target.stageName}`,
  );
  if (isWatched) await back(target, undefined, { say });
  return false;
}

const TRIGGERS = '--rollback-trigger-alarm-arns';

/** The alarms that a deployment which breaks the site sets off. CloudFormation takes five. */
export const rollbackAlarms = ['ServerErrors', 'SiteDown', 'AccountTriggers'];

/** Rolls the deployment back if one of its alarms fires. CloudFormation refuses alarms that don't exist. */
async function rollbackTriggers(target: Target): Promise<string[]> {
  const { stackName, stage, sts } = target;
  const { Account } = await sts.send(new GetCallerIdentityCommand());
  const names = new Set((await stackResources(target)).map(({ name }) => name));
  const arns = rollbackAlarms
    .map((alarm) => `${stackName}-${alarm}`)
    .filter((name) => names.has(name))
    .map((name) => `arn:aws:cloudwatch:${stage.region}:${Account}:alarm:${name}`);
  return arns.flatMap((arn) => [TRIGGERS, arn]);
}

/** The versions of the secrets that Cognito holds, so that CloudFormation reads a changed secret again. */
async function contextOf({ secrets, stage, stageName }: Target): Promise<string[]> {
  const context: string[] = [];
  for (const provider of stage.providers.filter((each) => !providers[each].bridged)) {
    const stored = await readSecret(secrets, secretNames(stageName)[provider]);
    if (stored === undefined || stored === 'deleted') continue;
    context.push('--context', `${product.slug}:${provider}SecretVersion=${stored.version}`);
  }
  return context;
}

/** Every DNS record to create, and every address to enter elsewhere. All steps are safe to repeat. */
export function nextSteps({ stage }: Target, outputs: Record<string, string>): string[] {
  const mailRecords = Object.entries(outputs).filter(([name]) => name.startsWith('MailRecord'));
  return [
    `The site: ${outputs['SiteUrl']}`,
    'DNS records, where the domains are registered:',
    ...mailRecords.map(([name, record]) => `  ${name}: ${record}`),
    ...(stage.domain ? namesOf(stage.domain) : []).map(
      (name) => `  ${name} CNAME (or ALIAS) ${outputs['DistributionDomain']}`,
    ),
    ...stage.providers.map((provider) => {
      const { name, bridged } = providers[provider];
      const address = outputs[bridged ? 'GitHubCallback' : 'SignInCallback'];
      return `${name}, ${providerModules[provider].callback}: ${address}`;
    }),
    `Stripe, the account's API version: ${Stripe.API_VERSION}, or a later one.`,
    `Alarms: ${stage.alarmEmail} gets a mail from AWS once for each topic; the link in each has to be clicked.`,
  ];
}

if (import.meta.main) {
  const target = targetOf(stageNameFrom(process.argv.slice(2)));
  const parameters = process.argv.slice(3);
  const at = parameters.indexOf('--override');
  const [, override] = at === -1 ? [] : parameters.splice(at, 2);
  const checkout = checkoutOf(root, target.stage);
  const succeeded = await deploy({ target, checkout, override, parameters, say: console.log });
  process.exitCode = succeeded ? 0 : 1;
}
