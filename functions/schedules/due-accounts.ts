import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { DueAccount } from '../../schemas/config/due-account.ts';
import { type IdleDependencies, processIdleAccount } from '../accounts/process-idle-account.ts';
import { idleSteps, type IdleSteps } from '../adapters/dynamodb/idle-steps.ts';
import { userPool } from '../adapters/cognito/user-pool.ts';
import { sesMail } from '../adapters/ses.ts';
import { addressChanges, addresses, appSessions, idle } from '../adapters/tables.ts';
import { jobAdapters } from '../plans/plan-adapters.ts';
import { reconcile, type ReconcileDependencies } from '../plans/reconcile.ts';
import { forEachLimit } from '../runtime/for-each-limit.ts';
import { log } from '../runtime/log.ts';
import { withinTime } from '../runtime/time-budget.ts';
import { siteUrl } from '../runtime/with-environment.ts';

const NAME = 'schedules/due-accounts';
// Each account is a few calls to Cognito, Stripe and SES, which users who are waiting need too. Cognito
// answers 120 a second, and a new SES account sends 14 mails a second.
const CONCURRENCY = 5;

export type DueDependencies = IdleDependencies & { steps: IdleSteps };

/** Does what is due for one account. Safe to repeat, also at once: writes need the row as it was read. */
export async function processDueAccount(dependencies: DueDependencies, message: DueAccount) {
  const { steps, clock } = dependencies;
  const { user } = message;
  return message.task === 'idle'
    ? processIdleAccount(dependencies, user, (step) => steps.take(step, message.limit, clock()))
    : decideExpired(dependencies, user, clock());
}

/** Decides the plan of a user whose plan has expired: a payer whose renewal webhook was lost keeps Plus. */
export async function decideExpired(dependencies: ReconcileDependencies, user: string, now: Date) {
  const row = await dependencies.planTable.read(user);
  if (row?.plan_expires_at === undefined || Date.parse(row.plan_expires_at) > now.getTime()) return 'none';
  await reconcile(dependencies, user, now, { trigger: 'schedules/expiry-sweep', known: { row } });
  return 'decided';
}

/**
 * Handles a batch of the queue. SQS keeps the messages that the answer names; after three tries they go to
 * the dead letters. So does an account that ends the process.
 */
export const consumeDueAccounts =
  (dependencies: DueDependencies) =>
  async ({ Records }: SQSEvent, isOver: () => boolean = () => false): Promise<SQSBatchResponse> => {
    const left = new Set<SQSRecord>(Records);
    const { failures } = await forEachLimit(Records, {
      limit: CONCURRENCY,
      work: async (record) => {
        await processDueAccount(dependencies, DueAccount.parse(JSON.parse(record.body)));
        left.delete(record);
      },
      isOver,
    });
    for (const [{ body }, error] of failures) log.error('due-account-failed', { message: body }, error);
    return { batchItemFailures: [...left].map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

const adapters = {
  ...jobAdapters(NAME),
  addresses,
  addressChanges,
  appSessions,
  mail: sesMail,
  idle,
  steps: (of: { LIMITS_TABLE: string }) => idleSteps(of.LIMITS_TABLE),
  userPool,
  siteUrl,
  clock: () => () => new Date(),
};

export const handler = withinTime(
  NAME,
  adapters,
  (dependencies) => (isOver, event: SQSEvent) => consumeDueAccounts(dependencies)(event, isOver),
);
