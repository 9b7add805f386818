import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { product } from '../../schemas/product/product.ts';
import { scheduleFactsOf, scheduleIdOf, scheduleNames } from '../../schemas/schedules.ts';
import { outputsOf } from './deploy/stack-state.ts';
import { targetOf } from './deploy/target.ts';
import { stageNameFrom } from './stage-name-from.ts';
import { UsageError } from './usage-error.ts';
import { type StageName, stages } from '../stages/stages.ts';

/** Calls the AWS CLI. Resolves with its output. */
export type AwsCli = (parameters: readonly string[]) => Promise<string>;

export interface RedriveOptions {
  stage: StageName;
  /** Outputs of the stage's stack. */
  outputs: Record<string, string>;
  /** `list` changes nothing, `run` repeats failed runs, `discard` only removes the records. */
  mode: 'list' | 'run' | 'discard';
  aws: AwsCli;
  print: (line: string) => void;
}

const Message = z.object({
  ReceiptHandle: z.string(),
  Body: z.string(),
  MessageAttributes: z._default(z.record(z.string(), z.object({ StringValue: z.optional(z.string()) })), {}),
});
const Received = z.object({ Messages: z._default(z.array(Message), []) });

/**
 * Lambda's record of a run that failed in all its tries:
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
 */
const InvocationRecord = z.object({
  timestamp: z.string(),
  requestContext: z.object({ functionArn: z.string() }),
  requestPayload: z.unknown(),
  responsePayload: z.optional(z.nullable(z.object({ errorMessage: z.optional(z.string()) }))),
});

/** A scheduled run that failed for good. */
interface FailedRun {
  receipt: string;
  functionArn: string;
  /** The function's event. */
  payload: unknown;
  error: string;
  at: string;
}

// The schedule of idle accounts deletes at most a hundred a day. A second run on the same day would delete a
// hundred more.
const limitedIds = scheduleNames.filter((name) => scheduleFactsOf(name).hasLimitsPerRun).map(scheduleIdOf);

/** Lists, repeats or removes the failed runs in the stage's dead letter queue. Resolves with their number. */
export async function redrive({ stage, outputs, mode, aws, print }: RedriveOptions): Promise<number> {
  const queue = outputs['DeadLetterQueue'];
  if (queue === undefined) {
    throw new Error(`The stack ${product.slug}-${stage} has no output DeadLetterQueue.`);
  }
  let count = 0;
  for await (const failed of failedRuns(queue, aws)) {
    count += 1;
    // arn:aws:lambda:<region>:<account>:function:<name>, followed by a version in Lambda's records.
    const name = failed.functionArn.split(':')[6] ?? failed.functionArn;
    const isLimited = limitedIds.some((id) => name.includes(id));
    print(`${failed.at} ${name}: ${failed.error}`);
    if (mode === 'list') continue;
    if (mode === 'run' && isLimited) {
      print('  Skipped: its limits are per day. The next daily run continues; then discard the record.');
      continue;
    }
    if (mode === 'run') {
      const payload = JSON.stringify(failed.payload ?? {});
      await aws([
        'lambda',
        'invoke',
        '--invocation-type',
        'Event',
        '--function-name',
        name,
        '--cli-binary-format',
        'raw-in-base64-out',
        '--payload',
        payload,
        '/dev/null',
      ]);
    }
    await aws(['sqs', 'delete-message', '--queue-url', queue, '--receipt-handle', failed.receipt]);
    print(mode === 'run' ? '  Runs again.' : '  Removed.');
  }
  if (count === 0) print('No scheduled run has failed for good.');
  return count;
}

/** Each message is hidden from other readers for a minute, and reappears if it isn't removed. */
async function* failedRuns(queue: string, aws: AwsCli): AsyncGenerator<FailedRun> {
  for (;;) {
    const answer = await aws([
      'sqs',
      'receive-message',
      '--queue-url',
      queue,
      '--max-number-of-messages',
      '10',
      '--visibility-timeout',
      '60',
      '--message-attribute-names',
      'All',
      '--output',
      'json',
    ]);
    // The CLI prints nothing for an empty queue.
    const { Messages } = Received.parse(JSON.parse(answer.trim() || '{}'));
    if (Messages.length === 0) return;
    for (const message of Messages) yield failedRun(message);
  }
}

/**
 * EventBridge Scheduler sends the target's input, with everything else as attributes. Lambda sends a record.
 */
function failedRun({ ReceiptHandle, Body, MessageAttributes }: z.infer<typeof Message>): FailedRun {
  const attribute = (name: string): string | undefined => MessageAttributes[name]?.StringValue;
  const target = attribute('TARGET_ARN');
  if (target !== undefined) {
    return {
      receipt: ReceiptHandle,
      functionArn: target,
      payload: parsed(Body),
      error: attribute('ERROR_MESSAGE') ?? attribute('ERROR_CODE') ?? 'not started',
      at: attribute('SCHEDULED_TIME') ?? 'an unknown time',
    };
  }
  const record = InvocationRecord.parse(JSON.parse(Body));
  return {
    receipt: ReceiptHandle,
    functionArn: record.requestContext.functionArn,
    payload: record.requestPayload,
    error: record.responsePayload?.errorMessage ?? 'no error was recorded: it waited for too long',
    at: record.timestamp,
  };
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

export async function run(parameters: readonly string[]): Promise<void> {
  const stage = stageNameFrom(parameters);
  const [, option] = parameters;
  const modes = { '--list': 'list', '--discard': 'discard' } as const;
  const mode = option === undefined ? 'run' : modes[option as keyof typeof modes];
  if (mode === undefined) throw new UsageError();
  const cli = promisify(execFile);
  const { region } = stages[stage];
  const aws: AwsCli = async (given) => (await cli('aws', [...given, '--region', region])).stdout;
  const outputs = await outputsOf(targetOf(stage));
  await redrive({ stage, outputs, mode, aws, print: (line) => console.log(line) });
}
