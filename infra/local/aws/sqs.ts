import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Clock, Timed } from '../base/clock.ts';
import type { Collection } from '../base/store.ts';
import { propertiesOf } from '../stack/resource-properties.ts';
import { arn, generatedName, type ResourceType, type Unnamed } from '../stack/resource-type.ts';
import type { Stack } from '../stack/template.ts';
import { type AwsCall, awsJson, AwsRefusal } from './json-protocol.ts';
import type { AwsService, ServiceContext } from './service.ts';

const nameOf = (queue: Unnamed) => queue.text('QueueName') ?? generatedName(queue);

const types: Record<string, ResourceType> = {
  'AWS::SQS::Queue': {
    ref: (queue) => `https://sqs.us-east-1.amazonaws.com/123456789012/${nameOf(queue)}`,
    attributes: { Arn: (queue) => arn('sqs', nameOf(queue)), QueueName: nameOf },
  },
  'AWS::Lambda::EventSourceMapping': { ref: generatedName },
};

export const sqs = {
  types,
  async start({ clock, store, invoke, endpoints, serve }: ServiceContext) {
    const queues = new Queues({ clock, invoke, messages: store.collection('sqs/messages') });
    endpoints['SQS'] = await serve(queues.handle);
    return queues;
  },
} satisfies AwsService;

const QueueProperties = z.object({
  VisibilityTimeout: z._default(z.number(), 30),
  RedrivePolicy: z.optional(z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: z.number() })),
});

// A mapping without ReportBatchItemFailures would keep a whole batch, which is not emulated.
const MappingProperties = z.object({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: z._default(z.number(), 10),
  FunctionResponseTypes: z.tuple([z.literal('ReportBatchItemFailures')]),
  ScalingConfig: z.object({ MaximumConcurrency: z.number() }),
});

const SendRequest = z.object({
  QueueUrl: z.string(),
  Entries: z.array(z.object({ Id: z.string(), MessageBody: z.string() })).check(z.maxLength(10)),
});
const AttributesRequest = z.object({ QueueUrl: z.string() });
const Response = z.nullish(
  z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })) }),
);

interface Message {
  id: string;
  queue: string;
  body: string;
  receives: number;
  /** Epoch milliseconds of the local world. */
  visibleAt: number;
}

interface QueuesOptions {
  clock: Clock;
  invoke: ServiceContext['invoke'];
  messages: Collection<Message>;
}

/**
 * The stack's queues, and the functions that are called with their messages. A message comes at once, and
 * after a failed try again once its time-out is over in the local world's time. Messages don't expire.
 */
export class Queues implements Timed {
  readonly jump = 'each';
  readonly #options: QueuesOptions;
  #queues = new Map<string, z.infer<typeof QueueProperties> & { url: string }>();
  #mappings: z.infer<typeof MappingProperties>[] = [];
  /** The running polls of each mapping. */
  readonly #polls = new Map<z.infer<typeof MappingProperties>, number>();
  #calls: Promise<unknown> = Promise.resolve();

  constructor(options: QueuesOptions) {
    this.#options = options;
    options.clock.register(this);
  }

  update(stack: Stack): Promise<void> {
    this.#queues = new Map(
      stack.of('AWS::SQS::Queue').map((queue) => {
        return [queue.attribute('Arn'), { ...propertiesOf(QueueProperties, queue), url: queue.ref }];
      }),
    );
    this.#mappings = stack.of('AWS::Lambda::EventSourceMapping').map((resource) => {
      const mapping = propertiesOf(MappingProperties, resource);
      return { ...mapping, FunctionName: arn('lambda', `function:${mapping.FunctionName}`) };
    });
    this.#options.clock.reschedule();
    return Promise.resolve();
  }

  readonly handle = awsJson(({ target, body }: AwsCall) => {
    const operation = target.replace('AmazonSQS.', '');
    const { QueueUrl } = AttributesRequest.parse(body);
    const [queue] = [...this.#queues].find(([, { url }]) => url === QueueUrl) ?? [];
    if (queue === undefined) throw new AwsRefusal('QueueDoesNotExist', 'The specified queue does not exist.');
    if (operation === 'SendMessageBatch') return this.#send(queue, SendRequest.parse(body));
    if (operation !== 'GetQueueAttributes') throw new AwsRefusal('UnsupportedOperation', operation);
    return { Attributes: { ApproximateNumberOfMessages: String(this.#visible(queue).length) } };
  });

  /** Resolves once all messages that are visible now were tried. */
  drained(): Promise<unknown> {
    return this.#calls;
  }

  nextDue(): number | undefined {
    const sources = this.#mappings.map(({ EventSourceArn }) => EventSourceArn);
    const waiting = this.#options.messages.list().filter(({ queue }) => sources.includes(queue));
    return waiting.length === 0 ? undefined : Math.min(...waiting.map(({ visibleAt }) => visibleAt));
  }

  async run(): Promise<void> {
    await this.#deliver();
  }

  #send(queue: string, { Entries }: z.infer<typeof SendRequest>): object {
    const { clock, messages } = this.#options;
    const visibleAt = clock.now().getTime();
    const Successful = Entries.map(({ Id, MessageBody }) => {
      const id = randomUUID();
      messages.put(id, { id, queue, body: MessageBody, receives: 0, visibleAt });
      return { Id, MessageId: id, MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') };
    });
    void this.#deliver();
    return { Successful, Failed: [] };
  }

  #visible(queue: string): Message[] {
    const { clock, messages } = this.#options;
    const now = clock.now().getTime();
    return messages.list().filter((message) => message.queue === queue && message.visibleAt <= now);
  }

  #deliver(): Promise<unknown> {
    const calls = this.#mappings.flatMap((mapping) => {
      const free = mapping.ScalingConfig.MaximumConcurrency - (this.#polls.get(mapping) ?? 0);
      return Array.from({ length: free }, () => this.#poll(mapping));
    });
    this.#calls = Promise.all([this.#calls, ...calls]);
    return this.#calls;
  }

  /** Calls the function until no message is visible. */
  async #poll(mapping: z.infer<typeof MappingProperties>): Promise<void> {
    const { invoke, messages } = this.#options;
    const count = (more: number) => this.#polls.set(mapping, (this.#polls.get(mapping) ?? 0) + more);
    count(1);
    for (let batch = this.#receive(mapping); batch.length > 0; batch = this.#receive(mapping)) {
      const Records = batch.map(({ id, body, receives }) => ({
        messageId: id,
        receiptHandle: id,
        body,
        attributes: { ApproximateReceiveCount: String(receives) },
        messageAttributes: {},
        eventSource: 'aws:sqs',
        eventSourceARN: mapping.EventSourceArn,
        awsRegion: 'us-east-1',
      }));
      try {
        const answer = Response.parse(await invoke(mapping.FunctionName, { Records }));
        const failed = new Set(answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
        for (const { id } of batch) if (!failed.has(id)) messages.delete(id);
      } catch {
        // The failure is in the function's log, and all messages stay.
      }
    }
    count(-1);
    this.#options.clock.reschedule();
  }

  /** Hides the next batch. A message that was received too often becomes a dead letter. */
  #receive({ EventSourceArn, BatchSize }: z.infer<typeof MappingProperties>): Message[] {
    const { clock, messages } = this.#options;
    const { VisibilityTimeout = 30, RedrivePolicy } = this.#queues.get(EventSourceArn) ?? {};
    const batch: Message[] = [];
    // A batch comes again as a whole.
    const visibleAt = clock.now().getTime() + VisibilityTimeout * 1_000;
    for (const message of this.#visible(EventSourceArn)) {
      if (batch.length === BatchSize) break;
      if (RedrivePolicy && message.receives >= RedrivePolicy.maxReceiveCount) {
        messages.put(message.id, { ...message, queue: RedrivePolicy.deadLetterTargetArn });
        continue;
      }
      const received = { ...message, receives: message.receives + 1, visibleAt };
      messages.put(message.id, received);
      batch.push(received);
    }
    return batch;
  }
}
