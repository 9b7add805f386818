import type { DueAccount } from '../../schemas/config/due-account.ts';
import { once } from './once.ts';
import { QUICK } from './request-limits.ts';

/** SQS's maximum for a request. */
export const BATCH = 10;

const sqs = once(async () => {
  const sdk = await import('./sqs-sdk.ts');
  // A queue's address names AWS's endpoint, also where the SDK's variable names another.
  return { sdk, client: new sdk.SQSClient({ ...QUICK, useQueueUrlAsEndpoint: false }) };
});

/** The queue from which `functions/schedules/due-accounts.ts` is called. */
export const dueQueue = ({ DUE_ACCOUNTS_QUEUE: QueueUrl }: { DUE_ACCOUNTS_QUEUE: string }) => ({
  /** Whether messages of an earlier run wait for their first try. Approximate, as SQS counts them. */
  async hasWaiting() {
    const { sdk, client } = await sqs();
    const { Attributes } = await client.send(
      new sdk.GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
    );
    return Number(Attributes?.['ApproximateNumberOfMessages'] ?? 0) > 0;
  },

  /** Sends at most ten messages. Rejects if SQS has not taken all: some may come twice then. */
  async send(messages: readonly DueAccount[]) {
    const { sdk, client } = await sqs();
    const Entries = messages.map((message, index) => ({
      Id: String(index),
      MessageBody: JSON.stringify(message),
    }));
    const { Failed = [] } = await client.send(new sdk.SendMessageBatchCommand({ QueueUrl, Entries }));
    if (Failed.length > 0) throw new Error(`SQS has not taken ${Failed.length} messages: ${Failed[0]?.Code}`);
  },
});
export type DueQueue = ReturnType<typeof dueQueue>;
