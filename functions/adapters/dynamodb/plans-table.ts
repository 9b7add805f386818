import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { UserPlan } from '../../../schemas/plan.ts';
import { isClosing } from '../../domain/closing.ts';
import { expiryShard } from '../../domain/expiry-shard.ts';
import type { PlanFields } from '../../domain/plan.ts';
import { dynamodb } from './client.ts';

/** The UserPlans table. Each method is one request, or says so. */
export interface PlansTable {
  /** Reads consistently: what was written a moment ago is there. */
  read(id: string): Promise<UserPlan | undefined>;
  /** Puts a Free row; the row that stands already where there is one (a second request). */
  open(id: string, now: Date): Promise<UserPlan>;
  /**
   * Writes a decision over the row it was made from. Undefined where another decision was written since, or the row
   * is gone: nothing is changed then.
   */
  decide(row: UserPlan, decision: PlanFields, now: Date): Promise<UserPlan | undefined>;
  recordSignIn(id: string, at: Date): Promise<void>;
  /**
   * Makes a Stripe customer the person's own. Resolves with the one that stands: an earlier one wins. Undefined where
   * the account is gone or being deleted.
   */
  adoptCustomer(
    id: string,
    customerId: string,
    replacing: string | undefined,
    now: Date,
  ): Promise<string | undefined>;
  /**
   * Makes a Checkout Session the person's open one, if `replacing` still was. False where it wasn't, and where the
   * account is gone or being deleted.
   */
  adoptCheckout(id: string, sessionId: string, replacing: string | undefined, now: Date): Promise<boolean>;
  /**
   * Closes the row to new customers and checkouts until `until`, ISO 8601, whether there was one or not. Resolves with
   * the row as it stands then: whatever was adopted is in it, and nothing follows.
   */
  close(id: string, until: string): Promise<UserPlan>;
  /** Leaves nothing of a closed row but that it is closed. */
  empty(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Ids whose plan expired at or before `now`, of one shard, earliest first, a page at a time. */
  expired(shard: number, now: Date): AsyncIterable<string[]>;
}

export function plansTable(table: string): PlansTable {
  const read: PlansTable['read'] = async (id) => {
    const { Item } = await dynamodb.send(
      new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true }),
    );
    return Item && UserPlan.parse(Item);
  };

  /** True if the write took place, false if its condition didn't hold. */
  const conditionally = async (
    write: Omit<ConstructorParameters<typeof UpdateCommand>[0], 'TableName'>,
  ): Promise<boolean> => {
    try {
      await dynamodb.send(new UpdateCommand({ TableName: table, ...write }));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  };

  return {
    read,

    async open(id, now) {
      const at = now.toISOString();
      const row: UserPlan = { id, plan: 'free', created_at: at, updated_at: at, version: 1 };
      try {
        await dynamodb.send(
          new PutCommand({ TableName: table, Item: row, ConditionExpression: 'attribute_not_exists(id)' }),
        );
        return row;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
      return (await read(id)) ?? row;
    },

    async decide(row, decision, now) {
      const decided = {
        plan_expires_at: undefined,
        stripe_subscription_id: undefined,
        stripe_customer_id: undefined,
        ...decision,
        expiry_shard: decision.plan_expires_at ? expiryShard(row.id) : undefined,
        updated_at: now.toISOString(),
        version: row.version + 1,
      };
      const { names, values, expression } = assigning(decided);
      const written = await conditionally({
        Key: { id: row.id },
        UpdateExpression: expression,
        ConditionExpression:
          'attribute_exists(id) AND (#version = :before OR (attribute_not_exists(#version) AND :before = :byHand))',
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ...values, ':before': row.version, ':byHand': 0 },
      });
      return written ? UserPlan.parse({ ...row, ...decided }) : undefined;
    },

    async recordSignIn(id, at) {
      await conditionally({
        Key: { id },
        UpdateExpression: 'SET last_sign_in_at = :at',
        ConditionExpression:
          'attribute_exists(id) AND (attribute_not_exists(last_sign_in_at) OR last_sign_in_at < :at)',
        ExpressionAttributeValues: { ':at': at.toISOString() },
      });
    },

    async adoptCustomer(id, customerId, replacing, now) {
      const adopted = await conditionally({
        Key: { id },
        UpdateExpression: 'SET billing_customer_id = :adopted',
        // A customer that the row knows by the specification's field is no new one.
        ...adopting('billing_customer_id', customerId, replacing, now, 'OR stripe_customer_id = :adopted'),
      });
      if (adopted) return customerId;
      const row = await read(id);
      return row && !isClosing(row, now) ? row.billing_customer_id : undefined;
    },

    adoptCheckout: (id, sessionId, replacing, now) =>
      conditionally({
        Key: { id },
        UpdateExpression: 'SET checkout_session_id = :adopted',
        ...adopting('checkout_session_id', sessionId, replacing, now),
      }),

    async close(id, until) {
      const { Attributes } = await dynamodb.send(
        new UpdateCommand({
          TableName: table,
          Key: { id },
          UpdateExpression:
            'SET closing_until = :until, #plan = if_not_exists(#plan, :free) ADD #version :one',
          ExpressionAttributeNames: { '#plan': 'plan', '#version': 'version' },
          ExpressionAttributeValues: { ':until': until, ':free': 'free', ':one': 1 },
          ReturnValues: 'ALL_NEW',
        }),
      );
      return UserPlan.parse(Attributes);
    },

    async empty(id) {
      await conditionally({
        Key: { id },
        // Counted up, so that a decision made from what stood here loses.
        UpdateExpression: `SET #plan = :free REMOVE ${personal.join(', ')} ADD #version :one`,
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeNames: { '#plan': 'plan', '#version': 'version' },
        ExpressionAttributeValues: { ':free': 'free', ':one': 1 },
      });
    },

    async remove(id) {
      await dynamodb.send(new DeleteCommand({ TableName: table, Key: { id } }));
    },

    async *expired(shard, now) {
      const pages = paginateQuery(
        { client: dynamodb },
        {
          TableName: table,
          IndexName: 'by_expiry',
          KeyConditionExpression: 'expiry_shard = :shard AND plan_expires_at <= :now',
          ExpressionAttributeValues: { ':shard': shard, ':now': now.toISOString() },
        },
      );
      for await (const { Items = [] } of pages) yield Items.map(({ id }) => String(id));
    },
  };
}

/** An update that sets what is defined and removes what is not. */
function assigning(fields: Record<string, unknown>): {
  expression: string;
  names: Record<string, string>;
  values: Record<string, unknown>;
} {
  const names = Object.keys(fields);
  const set = names.filter((name) => fields[name] !== undefined);
  const removed = names.filter((name) => fields[name] === undefined);
  return {
    expression: [
      `SET ${set.map((name) => `#${name} = :${name}`).join(', ')}`,
      ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`] : []),
    ].join(' '),
    names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    values: Object.fromEntries(set.map((name) => [`:${name}`, fields[name]])),
  };
}

/** What of a row is about its person. */
const personal = [
  'plan_expires_at',
  'expiry_shard',
  'stripe_subscription_id',
  'stripe_customer_id',
  'billing_customer_id',
  'checkout_session_id',
  'created_at',
  'updated_at',
  'last_sign_in_at',
] as const satisfies (keyof UserPlan)[];

/**
 * The condition under which a row takes something on: it exists, the attribute still has the value it was read with, and
 * the account isn't being deleted, `unless` says otherwise.
 */
function adopting(
  attribute: string,
  adopted: string,
  replacing: string | undefined,
  now: Date,
  unless = '',
): { ConditionExpression: string; ExpressionAttributeValues: Record<string, unknown> } {
  const still = replacing === undefined ? `attribute_not_exists(${attribute})` : `${attribute} = :before`;
  return {
    // The adopted one itself too: where an answer is lost the SDK asks again, and has to hear what the first asking did.
    ConditionExpression: `attribute_exists(id) AND (${still} OR ${attribute} = :adopted) AND (attribute_not_exists(closing_until) OR closing_until <= :now ${unless})`,
    ExpressionAttributeValues: {
      ':adopted': adopted,
      ':now': now.toISOString(),
      ...(replacing !== undefined && { ':before': replacing }),
    },
  };
}
