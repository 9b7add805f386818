import { beforeEach, describe, expect, test } from 'vitest';
import { redrive, type RedriveOptions } from '../../../../infra/operate/redrive.ts';

const QUEUE = 'https://sqs.us-east-1.amazonaws.com/123456789012/selfsame-staging-DeadLetters';
const arn = (name: string) => `arn:aws:lambda:us-east-1:123456789012:function:${name}`;

/** As in "Invocation record" of Lambda's developer guide. */
const record = (name: string, requestPayload: unknown) => ({
  ReceiptHandle: `receipt of ${name}`,
  Body: JSON.stringify({
    version: '1.0',
    timestamp: '2026-11-14T18:16:05.568Z',
    requestContext: {
      requestId: 'e4b46cbf-b738-xmpl-8880-a18cdf61200e',
      functionArn: `${arn(name)}:$LATEST`,
      condition: 'RetriesExhausted',
      approximateInvokeCount: 3,
    },
    requestPayload,
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    responsePayload: { errorType: 'Error', errorMessage: 'Stripe does not answer.' },
  }),
});

const unstarted = {
  ReceiptHandle: 'receipt of billing-tasks',
  Body: '{"any":"input"}',
  MessageAttributes: {
    ERROR_CODE: { StringValue: 'AWS.Lambda.TooManyRequestsException' },
    ERROR_MESSAGE: { StringValue: 'Rate exceeded' },
    SCHEDULED_TIME: { StringValue: '2026-11-14T18:45:00Z' },
    TARGET_ARN: { StringValue: arn('billing-tasks') },
  },
};

let messages: { ReceiptHandle: string }[];
let invoked: { name: string | undefined; payload: unknown }[];
let printed: string[];

/** A queue and functions behind the AWS CLI. */
const aws = (): RedriveOptions['aws'] => {
  const hidden = new Set<string>();
  return async (parameters) => {
    const value = (name: string) => parameters[parameters.indexOf(name) + 1];
    switch (`${parameters[0]} ${parameters[1]}`) {
      case 'sqs receive-message': {
        expect(value('--queue-url')).toBe(QUEUE);
        const [visible] = messages.filter(({ ReceiptHandle }) => !hidden.has(ReceiptHandle));
        if (!visible) return '';
        hidden.add(visible.ReceiptHandle);
        return JSON.stringify({ Messages: [visible] });
      }
      case 'sqs delete-message':
        messages = messages.filter(({ ReceiptHandle }) => ReceiptHandle !== value('--receipt-handle'));
        return '';
      case 'lambda invoke':
        expect(value('--invocation-type')).toBe('Event');
        invoked.push({ name: value('--function-name'), payload: JSON.parse(value('--payload') ?? '') });
        return '{"StatusCode":202}';
      default:
        throw new Error(`The fake CLI does not know ${parameters.join(' ')}.`);
    }
  };
};
const run = (mode: RedriveOptions['mode'], stage: RedriveOptions['stage'] = 'staging') =>
  redrive({
    stage,
    outputs: stage === 'staging' ? { DeadLetterQueue: QUEUE } : {},
    mode,
    aws: aws(),
    print: (line) => void printed.push(line),
  });

beforeEach(() => {
  messages = [record('expiry-sweep', { source: 'scheduler' }), unstarted];
  invoked = [];
  printed = [];
});

describe('the command for failed runs', () => {
  test('runs each of them again with what it was called with, and removes its record', async () => {
    expect(await run('run')).toBe(2);
    expect(invoked).toEqual([
      { name: 'expiry-sweep', payload: { source: 'scheduler' } },
      { name: 'billing-tasks', payload: { any: 'input' } },
    ]);
    expect(messages).toEqual([]);
    expect(await run('run')).toBe(0);
    expect(printed.at(-1)).toBe('No scheduled run has failed for good.');
  });

  test('lists them with time, function and error, and changes nothing', async () => {
    await run('list');
    expect(printed).toEqual([
      '2026-11-14T18:16:05.568Z expiry-sweep: Stripe does not answer.',
      '2026-11-14T18:45:00Z billing-tasks: Rate exceeded',
    ]);
    expect([invoked.length, messages.length]).toEqual([0, 2]);
  });

  test('discards them without running anything', async () => {
    await run('discard');
    expect([invoked.length, messages.length]).toEqual([0, 0]);
  });

  test('does not give the idle accounts a second run on one day', async () => {
    const name = 'selfsame-staging-SchedulesIdleAccounts-Ab1';
    messages = [record(name, { task: 'sweep' })];
    await run('run');
    expect([invoked.length, messages.length]).toEqual([0, 1]);
  });

  test('fails for a stack without the queue', async () => {
    await expect(run('run', 'production')).rejects.toThrow('no output DeadLetterQueue');
  });
});
