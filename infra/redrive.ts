import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { product } from '../schemas/product.ts';
import { outputsOf } from './deploy/stack-state.ts';
import { targetOf } from './deploy/target.ts';
import { isStageName, type StageName, stages } from './stages.ts';

/** Calls the AWS CLI. Resolves with what it prints. */
export type AwsCli = (parameters: readonly string[]) => Promise<string>;

export interface RedriveOptions {
  stage: StageName;
  /** Of the stage's stack. */
  outputs: Record<string, string>;
  /** `list` changes nothing, `run` runs again what failed, `discard` only removes the records. */
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
  /** What the function was called with. */
  payload: unknown;
  error: string;
  at: string;
}

// Deletes at most a hundred accounts a day. A second run on the same day would delete a hundred more.
const DAILY_LIMITS = /IdleAccounts/;

/** Lists, repeats or removes what is in the stage's dead letter queue. Resolves with how many there were. */
export async function redrive({ stage, outputs, mode, aws, print }: RedriveOptions): Promise<number> {
  const queue = outputs['DeadLetterQueue'];
  if (queue === undefined) {
    throw new Error(`The stack ${product.slug}-${stage} has no output DeadLetterQueue.`);
  }
  let count = 0;
  for await (const run of failedRuns(queue, aws)) {
    count += 1;
    // arn:aws:lambda:<region>:<account>:function:<name>, with a version behind it in Lambda's records.
    const name = run.functionArn.split(':')[6] ?? run.functionArn;
    const isLimited = DAILY_LIMITS.test(name);
    print(`${run.at} ${name}: ${run.error}`);
    if (mode === 'list') continue;
    if (mode === 'run' && isLimited) {
      print('  Left: its limits are for a day. The next day takes it up; then discard the record.');
      continue;
    }
    if (mode === 'run') {
      const payload = JSON.stringify(run.payload ?? {});
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
    await aws(['sqs', 'delete-message', '--queue-url', queue, '--receipt-handle', run.receipt]);
    print(mode === 'run' ? '  Runs again.' : '  Removed.');
  }
  if (count === 0) print('No scheduled run has failed for good.');
  return count;
}

/** Each message is hidden from other readers for a minute. It comes back if it isn't removed. */
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

/** EventBridge Scheduler sends the target's input, and all else as attributes. Lambda sends a record. */
function failedRun({ ReceiptHandle, Body, MessageAttributes }: z.infer<typeof Message>): FailedRun {
  const attribute = (name: string): string | undefined => MessageAttributes[name]?.StringValue;
  const target = attribute('TARGET_ARN');
  if (target !== undefined) {
    return {
      receipt: ReceiptHandle,
      functionArn: target,
      payload: parsed(Body),
      error: attribute('ERROR_MESSAGE') ?? attribute('ERROR_CODE') ?? 'not started',
      at: attribute('SCHEDULED_TIME') ?? 'a time that the record lacks',
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

if (import.meta.main) {
  const [stage, option] = process.argv.slice(2);
  const modes = { '--list': 'list', '--discard': 'discard' } as const;
  const mode = option === undefined ? 'run' : modes[option as keyof typeof modes];
  if (!isStageName(stage) || mode === undefined) {
    console.error(`npm run redrive -- <${Object.keys(stages).join(' | ')}> [--list | --discard]`);
    process.exit(1);
  }
  const cli = promisify(execFile);
  const { region } = stages[stage];
  const aws: AwsCli = async (parameters) => (await cli('aws', [...parameters, '--region', region])).stdout;
  const outputs = await outputsOf(targetOf(stage));
  await redrive({ stage, outputs, mode, aws, print: (line) => console.log(line) });
}
