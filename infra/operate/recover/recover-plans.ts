import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  paginateScan,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Stripe } from 'stripe';
import { cognitoUserList, type UserList } from '../../../functions/adapters/cognito/user-list.ts';
import { cognitoUserPool, type UserPool } from '../../../functions/adapters/cognito/user-pool.ts';
import { unlessMissing } from '../../../functions/adapters/stripe/refusals.ts';
import { customerIdOf } from '../../../functions/domain/plan.ts';
import { rateLimiter } from '../../../functions/runtime/rate-limiter.ts';
import { UserPlan } from '../../../schemas/rows/plan.ts';
import { ownerIn } from '../../../functions/domain/mark.ts';
import { outputsOf } from '../deploy/stack-state.ts';
import { storedStripe } from '../deploy/stripe-client.ts';
import { targetOf } from '../deploy/target.ts';
import { stageNameFrom } from '../stage-name-from.ts';
import { tablesInUse } from '../deploy/stack-resources.ts';

export interface PlanRecovery {
  dynamodb: DynamoDBDocumentClient;
  stripe: Stripe;
  /** The stage in the mark of our objects at Stripe. */
  stage: string;
  pool: Pick<UserPool, 'findBySub'>;
  users: UserList;
  plansTable: string;
  stripeWorkTable: string;
  /** Whether to write. Without it, only says what would change. */
  isWriting: boolean;
  say: (line: string) => void;
  /** Waits until the next page of users may be asked for. */
  pace?: () => Promise<void>;
}

export interface PlanRecoveryOutcome {
  /** Rows that get their customer at Stripe back. */
  linked: number;
  /** New rows, for users who signed up after the moment of the backup. */
  made: number;
  /** Removed rows, of accounts that were deleted after that moment. */
  removed: number;
  /** Users that a person has to look at. */
  unclear: number;
}

// Milliseconds between two pages of sixty users. Cognito allows thirty pages a second.
const INTERVAL = 100;

/** The event catch-up then reads all events that Stripe lists. */
const LONG_AGO = '2000-01-01T00:00:00.000Z';

/**
 * Updates a restored UserPlans table from the user pool and Stripe: customers who bought since, users who
 * signed up since and bought, and accounts that were deleted since. Then makes the event catch-up read all
 * events that Stripe lists, which writes the plans that have changed. `plan-agreement` writes the others.
 * Safe to repeat.
 *
 * Data that neither has is lost: complimentary plans granted since, and since when an account is idle.
 */
export async function recoverPlans(recovery: PlanRecovery): Promise<PlanRecoveryOutcome> {
  const outcome: PlanRecoveryOutcome = { linked: 0, made: 0, removed: 0, unclear: 0 };
  for await (const customer of recovery.stripe.customers.list({ limit: 100 })) {
    const owner = ownerIn(customer.metadata, recovery.stage);
    const userId = owner.kind === 'ours' ? owner.userId : undefined;
    if (userId !== undefined) await linkCustomer(recovery, { customerId: customer.id, userId }, outcome);
  }
  await removeDeleted(recovery, outcome);
  if (recovery.isWriting) {
    await recovery.dynamodb.send(
      new PutCommand({
        TableName: recovery.stripeWorkTable,
        Item: { kind: 'cursor', id: 'stripe-events', read_from: LONG_AGO },
      }),
    );
  }
  recovery.say(
    `${outcome.linked} rows get their customer, ${outcome.made} rows are made, ${outcome.removed} rows of deleted accounts are removed, ${outcome.unclear} are left to you.`,
  );
  recovery.say(
    recovery.isWriting
      ? 'The event catch-up writes plans from half past the hour on, and plan-agreement the rest.'
      : 'Nothing was changed. Add --write to do it.',
  );
  return outcome;
}

async function linkCustomer(
  recovery: PlanRecovery,
  { customerId, userId }: { customerId: string; userId: string },
  outcome: PlanRecoveryOutcome,
): Promise<void> {
  const { dynamodb, plansTable: TableName, isWriting, say } = recovery;
  const { Item } = await dynamodb.send(
    new GetCommand({ TableName, Key: { id: userId }, ConsistentRead: true }),
  );
  const row = Item && UserPlan.parse(Item);
  if (row) {
    const known = customerIdOf(row);
    if (known === customerId) return;
    if (known !== undefined) {
      outcome.unclear += 1;
      say(`${userId}: the row names ${known}, and Stripe has ${customerId} for the user too.`);
      return;
    }
    outcome.linked += 1;
    say(`${userId}: gets ${customerId}`);
    if (!isWriting) return;
    await dynamodb.send(
      new UpdateCommand({
        TableName,
        Key: { id: userId },
        UpdateExpression: 'SET billing_customer_id = :customer ADD #version :one',
        ConditionExpression: 'attribute_exists(id) AND attribute_not_exists(billing_customer_id)',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':customer': customerId, ':one': 1 },
      }),
    );
    return;
  }
  const account = await recovery.pool.findBySub(userId);
  if (!account) {
    outcome.unclear += 1;
    say(`${userId}: Stripe has ${customerId} for a user who isn't in the pool. End it in Stripe if it pays.`);
    return;
  }
  outcome.made += 1;
  say(`${userId}: gets a row, with ${customerId}`);
  if (!isWriting) return;
  const made: UserPlan = {
    id: userId,
    plan: 'free',
    created_at: account.createdAt.toISOString(),
    version: 1,
    billing_customer_id: customerId,
  };
  await dynamodb.send(
    new PutCommand({ TableName, Item: made, ConditionExpression: 'attribute_not_exists(id)' }),
  );
}

/** Removes the rows of users who aren't in the pool, unless Stripe still has a customer for the user. */
async function removeDeleted(recovery: PlanRecovery, outcome: PlanRecoveryOutcome): Promise<void> {
  const { dynamodb, plansTable: TableName, isWriting, say } = recovery;
  const subs = await allSubs(recovery);
  let rows = 0;
  const missing: UserPlan[] = [];
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, { TableName })) {
    rows += Items.length;
    missing.push(...Items.map((item) => UserPlan.parse(item)).filter(({ id }) => !subs.has(id)));
  }
  // The pool was lost, or belongs to another stage.
  if (missing.length > 10 && missing.length > rows / 2) {
    throw new Error(
      `${missing.length} of ${rows} rows have no user in the pool. Is this the stage's own pool? No row was removed.`,
    );
  }
  for (const row of missing) {
    const { id } = row;
    // The pool's list lags behind its users.
    if (await recovery.pool.findBySub(id)) continue;
    const customerId = customerIdOf(row);
    if (customerId !== undefined && (await isCustomer(recovery.stripe, customerId))) {
      outcome.unclear += 1;
      say(`${id}: isn't in the pool, and Stripe has ${customerId}. The billing tasks end it at its renewal.`);
      continue;
    }
    outcome.removed += 1;
    say(`${id}: the account was deleted, and its row is removed`);
    if (isWriting) await dynamodb.send(new DeleteCommand({ TableName, Key: { id } }));
  }
}

async function allSubs({ users, pace = rateLimiter(INTERVAL) }: PlanRecovery): Promise<Set<string>> {
  const subs = new Set<string>();
  await pace();
  for await (const page of users.subs()) {
    for (const sub of page) subs.add(sub);
    await pace();
  }
  return subs;
}

async function isCustomer(stripe: Stripe, customerId: string): Promise<boolean> {
  const customer = await unlessMissing(() => stripe.customers.retrieve(customerId));
  return customer !== undefined && !customer.deleted;
}

export async function run(parameters: readonly string[]): Promise<void> {
  const stageName = stageNameFrom(parameters);
  const target = targetOf(stageName);
  // The adapters of `functions/` read this variable at their first call.
  process.env['AWS_REGION'] = target.stage.region;
  const tableOf = await tablesInUse(target);
  const { UserPoolId = '' } = await outputsOf(target);
  await recoverPlans({
    dynamodb: DynamoDBDocumentClient.from(target.dynamodb),
    stripe: (await storedStripe(target)).stripe,
    stage: stageName,
    pool: cognitoUserPool(UserPoolId),
    users: cognitoUserList(UserPoolId),
    plansTable: tableOf('UserPlans'),
    stripeWorkTable: tableOf('StripeWork'),
    isWriting: parameters[1] === '--write',
    say: console.log,
  });
}
