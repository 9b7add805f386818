import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { UserPlan } from '../../schemas/plan.ts';
import { expiryShard } from '../domain/expiry-shard.ts';
import type { PlanFields } from '../domain/plan.ts';
import { dynamodb } from './dynamodb.ts';

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
  /** Makes a Stripe customer the person's own. Resolves with the one that stands: an earlier one wins. */
  adoptCustomer(id: string, customerId: string, replacing: string | undefined): Promise<string>;
  /** Makes a Checkout Session the person's open one, if `replacing` still was. False where it wasn't. */
  adoptCheckout(id: string, sessionId: string, replacing: string | undefined): Promise<boolean>;
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

    async adoptCustomer(id, customerId, replacing) {
      const adopted = await conditionally({
        Key: { id },
        UpdateExpression: 'SET billing_customer_id = :customer',
        ...ifStill('billing_customer_id', replacing, { ':customer': customerId }),
      });
      if (adopted) return customerId;
      const winner = (await read(id))?.billing_customer_id;
      if (!winner) throw new Error('The account was deleted while its Stripe customer was made.');
      return winner;
    },

    adoptCheckout: (id, sessionId, replacing) =>
      conditionally({
        Key: { id },
        UpdateExpression: 'SET checkout_session_id = :session',
        ...ifStill('checkout_session_id', replacing, { ':session': sessionId }),
      }),

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

/** The condition that an attribute of an existing row still has the value it was read with. */
function ifStill(
  attribute: string,
  value: string | undefined,
  values: Record<string, unknown>,
): { ConditionExpression: string; ExpressionAttributeValues: Record<string, unknown> } {
  return {
    ConditionExpression: `attribute_exists(id) AND ${
      value === undefined ? `attribute_not_exists(${attribute})` : `${attribute} = :before`
    }`,
    ExpressionAttributeValues: { ...values, ...(value !== undefined && { ':before': value }) },
  };
}
