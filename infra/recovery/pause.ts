import {
  DeleteFunctionConcurrencyCommand,
  GetFunctionConcurrencyCommand,
  PutFunctionConcurrencyCommand,
} from '@aws-sdk/client-lambda';
import { type Target, targetOf } from '../deploy/target.ts';
import { isStageName, stages } from '../stages.ts';
import { stackResources } from './stack-resources.ts';

type Paused = Pick<Target, 'cloudFormation' | 'lambda' | 'stackName'>;

/**
 * The functions that write plans, refund, end billing or delete accounts without a user who asks for it, and
 * the export of the users, of which a damaged pool would be stored. By their constructs' ids, which CDK puts
 * before a hash of eight digits.
 */
const PAUSED = [
  'ApiStripeWebhook',
  'SchedulesExpirySweep',
  'SchedulesEventCatchUp',
  'SchedulesBillingTasks',
  'SchedulesIdleAccounts',
  'SchedulesUserExport',
];

/** Throws if one is missing: nobody would know whether it runs. */
async function functionsOf(target: Paused): Promise<string[]> {
  const resources = await stackResources(target);
  return PAUSED.map((id) => {
    const logicalId = new RegExp(`^${id}[0-9A-F]{8}$`);
    const found = resources.find(
      (resource) => resource.type === 'AWS::Lambda::Function' && logicalId.test(resource.logicalId),
    );
    if (!found?.name) throw new Error(`The stack ${target.stackName} has no function ${id}.`);
    return found.name;
  });
}

/** Which of the functions are not paused. */
export async function runningOf(target: Paused): Promise<string[]> {
  const running: string[] = [];
  for (const FunctionName of await functionsOf(target)) {
    const { ReservedConcurrentExecutions } = await target.lambda.send(
      new GetFunctionConcurrencyCommand({ FunctionName }),
    );
    if (ReservedConcurrentExecutions !== 0) running.push(FunctionName);
  }
  return running;
}

/**
 * Stops these functions, or lets them run again. Stripe repeats refused webhooks for three days, and the
 * event catch-up reads those that it gave up. A deployment leaves the pause as it is.
 */
export async function setPaused(
  target: Paused,
  isPaused: boolean,
  say: (line: string) => void,
): Promise<void> {
  for (const FunctionName of await functionsOf(target)) {
    if (isPaused) {
      const paused = { FunctionName, ReservedConcurrentExecutions: 0 };
      await target.lambda.send(new PutFunctionConcurrencyCommand(paused));
    } else {
      await target.lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
    }
    say(`${FunctionName}: ${isPaused ? 'stopped' : 'runs again'}`);
  }
}

if (import.meta.main) {
  const [stageName, option] = process.argv.slice(2);
  if (!isStageName(stageName) || (option !== undefined && option !== '--end')) {
    console.error(`npm run pause -- <${Object.keys(stages).join(' | ')}> [--end]`);
    process.exit(2);
  }
  await setPaused(targetOf(stageName), option === undefined, console.log);
}
