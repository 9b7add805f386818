import { GetQueueAttributesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, expect, test } from 'vitest';
import { Queues } from '../../aws/sqs.ts';
import { Clock } from '../../base/clock.ts';
import { listen, type Loopback } from '../../base/loopback.ts';
import { Store } from '../../base/store.ts';
import { template } from '../fixtures/local-stack.ts';

let server: Loopback | undefined;
afterEach(() => server?.close());

const stack = template({
  Work: {
    Type: 'AWS::SQS::Queue',
    Properties: {
      VisibilityTimeout: 60,
      RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 3 },
    },
  },
  Dead: { Type: 'AWS::SQS::Queue' },
  Mapping: {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: {
      EventSourceArn: { 'Fn::GetAtt': ['Work', 'Arn'] },
      FunctionName: 'consumer',
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    },
  },
});

interface Event {
  Records: { messageId: string; body: string; attributes: { ApproximateReceiveCount: string } }[];
}

/** The queue, and a function that fails for these bodies, and is ended by others. */
async function world({ fails = [], ends = [] }: { fails?: string[]; ends?: string[] } = {}) {
  const clock = new Clock();
  const tried: string[] = [];
  const [most, running] = [{ count: 0 }, { count: 0 }];
  const invoke = async (_: string, event: unknown) => {
    const { Records } = event as Event;
    running.count += 1;
    most.count = Math.max(most.count, running.count);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running.count -= 1;
    for (const { body, attributes } of Records) tried.push(`${body} ${attributes.ApproximateReceiveCount}`);
    if (Records.some(({ body }) => ends.includes(body))) throw new Error('The process was ended.');
    const failed = Records.filter(({ body }) => fails.includes(body));
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
  const queues = new Queues({ clock, invoke, messages: new Store(':memory:').collection('messages') });
  await queues.update(stack);
  server = await listen(0, queues.handle);
  const endpoint = `http://127.0.0.1:${server.port}`;
  const client = new SQSClient({ endpoint, useQueueUrlAsEndpoint: false });
  const [work, dead] = stack.of('AWS::SQS::Queue').map(({ ref }) => ref);
  const AttributeNames = ['ApproximateNumberOfMessages' as const];
  return {
    clock,
    tried,
    most: () => most.count,
    send: async (...bodies: string[]) => {
      const Entries = bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody }));
      await client.send(new SendMessageBatchCommand({ QueueUrl: work, Entries }));
      await queues.drained();
    },
    deadLetters: async () => {
      const command = new GetQueueAttributesCommand({ QueueUrl: dead, AttributeNames });
      return (await client.send(command)).Attributes?.['ApproximateNumberOfMessages'];
    },
  };
}

test('a message that fails comes again alone, three times, and is a dead letter then', async () => {
  const { send, clock, tried, deadLetters } = await world({ fails: ['bad'] });
  await send('good', 'bad');
  expect(tried).toEqual(['good 1', 'bad 1']);
  await clock.advance(59_000);
  expect(tried).toHaveLength(2);
  await clock.advance(10 * 60_000);
  expect(tried).toEqual(['good 1', 'bad 1', 'bad 2', 'bad 3']);
  expect(await deadLetters()).toBe('1');
});

test('all messages of a call that was ended come again', async () => {
  const { send, clock, tried, deadLetters } = await world({ ends: ['poison'] });
  await send('other', 'poison');
  await clock.advance(60_000);
  expect(tried.toSorted()).toEqual(['other 1', 'other 2', 'poison 1', 'poison 2']);
  await clock.advance(10 * 60_000);
  expect(await deadLetters()).toBe('2');
});

test('a function is called with at most ten messages, and at most twice at once', async () => {
  const { send, tried, most } = await world();
  for (let batch = 0; batch < 5; batch += 1) {
    await send(...Array.from({ length: 10 }, (_, index) => `${batch}-${index}`));
  }
  expect(tried).toHaveLength(50);
  expect(most()).toBeLessThanOrEqual(2);
});
