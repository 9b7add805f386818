import {
  DeleteFunctionConcurrencyCommand,
  GetFunctionConcurrencyCommand,
  PutFunctionConcurrencyCommand,
} from '@aws-sdk/client-lambda';
import { type Target, targetOf } from './target.ts';
import { stageNameFrom } from '../stage-name-from.ts';
import { scheduleIdOf, scheduleNames, schedules } from '../../../schemas/schedules.ts';
import { functionIn, stackResources } from './stack-resources.ts';

type Paused = Pick<Target, 'cloudFormation' | 'lambda' | 'stackName'>;

/** The constructs' ids of the functions that a restore has to stop. */
export const pausedIds = [
  'ApiStripeWebhook',
  'SchedulesDueAccounts',
  ...scheduleNames
    .filter((name) => schedules[name].isPausable)
    .map((name) => `Schedules${scheduleIdOf(name)}`),
];

/** Throws if a function is missing, since its state would be unknown. */
async function functionsOf(target: Paused): Promise<string[]> {
  const resources = await stackResources(target);
  return pausedIds.map((id) => functionIn(resources, id));
}

/** The functions that are not paused. */
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
 * Pauses these functions, or resumes them. Stripe repeats refused webhooks for three days, and the event
 * catch-up reads the events that Stripe gave up on. A deployment keeps the pause.
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

export async function run(parameters: readonly string[]): Promise<void> {
  const stageName = stageNameFrom(parameters);
  await setPaused(targetOf(stageName), parameters[1] === undefined, console.log);
}
