import {
  AdminGetUserCommand,
  ListUsersCommand,
  paginateListUsers,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  paginateScan,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { setTimeout as wait } from 'node:timers/promises';
import type { Stripe } from 'stripe';
import { UserPlan } from '../../schemas/plan.ts';
import { readSecret } from '../deploy/secret-store.ts';
import { stripeWith } from '../deploy/stripe-client.ts';
import { outputsOf } from '../deploy/stack-state.ts';
import { type Target, targetOf } from '../deploy/target.ts';
import { secretNames } from '../secret-names.ts';
import { isStageName, stages } from '../stages.ts';
import { tablesInUse } from './stack-resources.ts';

export interface PlanRecovery {
  cognito: Target['cognito'];
  dynamodb: DynamoDBDocumentClient;
  stripe: Stripe;
  poolId: string;
  plansTable: string;
  stripeWorkTable: string;
  /** Without this, only says what it would do. */
  isWriting: boolean;
  say: (line: string) => void;
  pause?: (milliseconds: number) => Promise<unknown>;
}

export interface PlanRecoveryOutcome {
  /** Rows that get their customer at Stripe back. */
  linked: number;
  /** Rows that are made for users who signed up after the moment that the table went back to. */
  made: number;
  /** Rows that are removed, of accounts that were deleted after that moment. */
  removed: number;
  /** What a person has to look at. */
  unclear: number;
}

// Milliseconds between two pages of sixty users. Cognito allows thirty a second.
const PAUSE = 100;

/** The event catch-up reconciles every customer in the table when its cursor is older than Stripe's list. */
const LONG_AGO = '2000-01-01T00:00:00.000Z';

/**
 * Brings a restored UserPlans table to what the user pool and Stripe know: customers who bought since, users
 * who signed up since and bought, and accounts that were deleted since. Then makes the event catch-up
 * reconcile every customer, which writes the plans. Safe to repeat.
 *
 * What neither knows is lost: complimentary plans given since, and since when an account is idle.
 */
export async function recoverPlans(recovery: PlanRecovery): Promise<PlanRecoveryOutcome> {
  const outcome: PlanRecoveryOutcome = { linked: 0, made: 0, removed: 0, unclear: 0 };
  for await (const customer of recovery.stripe.customers.list({ limit: 100 })) {
    const userId = customer.metadata['user_id'];
    if (userId !== undefined) await followCustomer(recovery, { customerId: customer.id, userId }, outcome);
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
      ? 'The event catch-up reconciles every customer from half past the hour on.'
      : 'Nothing was changed. Add --write to do it.',
  );
  return outcome;
}

async function followCustomer(
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
    const known = row.billing_customer_id ?? row.stripe_customer_id;
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
  const createdAt = await userCreatedAt(recovery, userId);
  if (createdAt === undefined) {
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
    created_at: createdAt.toISOString(),
    version: 1,
    billing_customer_id: customerId,
  };
  await dynamodb.send(
    new PutCommand({ TableName, Item: made, ConditionExpression: 'attribute_not_exists(id)' }),
  );
}

/** When the user with this `sub` was created; undefined if the pool has none. */
async function userCreatedAt({ cognito, poolId }: PlanRecovery, sub: string): Promise<Date | undefined> {
  try {
    // The user name of an account with a password is its sub.
    const user = await cognito.send(new AdminGetUserCommand({ UserPoolId: poolId, Username: sub }));
    return user.UserCreateDate ?? new Date();
  } catch (error) {
    if (!(error instanceof UserNotFoundException)) throw error;
  }
  const Filter = `sub = "${sub.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  const { Users = [] } = await cognito.send(new ListUsersCommand({ UserPoolId: poolId, Filter }));
  return Users[0]?.UserCreateDate;
}

/** Removes the rows of users who aren't in the pool, unless Stripe still has a customer of theirs. */
async function removeDeleted(recovery: PlanRecovery, outcome: PlanRecoveryOutcome): Promise<void> {
  const { dynamodb, plansTable: TableName, isWriting, say } = recovery;
  const subs = await allSubs(recovery);
  let rows = 0;
  const missing: UserPlan[] = [];
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, { TableName })) {
    rows += Items.length;
    missing.push(...Items.map((item) => UserPlan.parse(item)).filter(({ id }) => !subs.has(id)));
  }
  // A pool that was lost, or another stage's.
  if (missing.length > 10 && missing.length > rows / 2) {
    throw new Error(
      `${missing.length} of ${rows} rows have no user in ${recovery.poolId}. Restore the users first.`,
    );
  }
  for (const { id, billing_customer_id, stripe_customer_id } of missing) {
    // The pool's list lags behind its users.
    if ((await userCreatedAt(recovery, id)) !== undefined) continue;
    const customerId = billing_customer_id ?? stripe_customer_id;
    if (customerId !== undefined && (await isCustomer(recovery.stripe, customerId))) {
      outcome.unclear += 1;
      say(`${id}: isn't in the pool, and Stripe has ${customerId}. The billing tasks end it at its renewal.`);
      continue;
    }
    outcome.removed += 1;
    say(`${id}: the account was deleted, its row goes`);
    if (isWriting) await dynamodb.send(new DeleteCommand({ TableName, Key: { id } }));
  }
}

async function allSubs({ cognito, poolId, pause = wait }: PlanRecovery): Promise<Set<string>> {
  const subs = new Set<string>();
  const parameters = { UserPoolId: poolId, AttributesToGet: ['sub'] };
  for await (const { Users = [] } of paginateListUsers({ client: cognito }, parameters)) {
    for (const { Attributes = [] } of Users) subs.add(Attributes[0]?.Value ?? '');
    await pause(PAUSE);
  }
  return subs;
}

async function isCustomer(stripe: Stripe, customerId: string): Promise<boolean> {
  try {
    return !(await stripe.customers.retrieve(customerId)).deleted;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'resource_missing') return false;
    throw error;
  }
}

/** Stripe, with the key that the stage's functions use. */
export async function stripeOf({
  secrets,
  stageName,
}: Pick<Target, 'secrets' | 'stageName'>): Promise<Stripe> {
  const name = secretNames(stageName).stripe;
  const stored = await readSecret(secrets, name);
  if (stored === undefined || stored === 'deleted') throw new Error(`There is no secret ${name}.`);
  return stripeWith(String(stored.value['secretKey']));
}

if (import.meta.main) {
  const [stageName, option] = process.argv.slice(2);
  if (!isStageName(stageName) || (option !== undefined && option !== '--write')) {
    console.error(`npm run recover-plans -- <${Object.keys(stages).join(' | ')}> [--write]`);
    process.exit(2);
  }
  try {
    const target = targetOf(stageName);
    const tableOf = await tablesInUse(target);
    const { UserPoolId = '' } = await outputsOf(target);
    await recoverPlans({
      cognito: target.cognito,
      dynamodb: DynamoDBDocumentClient.from(target.dynamodb),
      stripe: await stripeOf(target),
      poolId: UserPoolId,
      plansTable: tableOf('UserPlans'),
      stripeWorkTable: tableOf('StripeWork'),
      isWriting: option === '--write',
      say: console.log,
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
