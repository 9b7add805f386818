import { DeleteCommand, GetCommand, PutCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { UserPlan } from '../../../../schemas/rows/plan.ts';
import { acceptedVersions } from '../../../domain/accepted-versions.ts';
import { isClosing } from '../../../domain/closing.ts';
import { type DecidedFields, decidedRow } from '../../../domain/decided-row.ts';
import { inUse } from '../../../domain/idle.ts';
import { checked } from './checked-plan.ts';
import { conditionHolds, dynamodb } from '../client.ts';
import { personal } from '../personal-attributes.ts';

/** The UserPlans table. Each method is one request unless its comment says otherwise. */
export interface PlansTable {
  /** A strongly consistent read. */
  read(id: string): Promise<UserPlan | undefined>;
  /**
   * Creates a Free row, or resolves with the existing row (two requests). For a new row, `signedInAt` is the
   * user's last sign-in, and `address` the account's proved address.
   */
  open(
    id: string,
    now: Date,
    known?: { signedInAt?: Date | undefined; address?: string | undefined },
  ): Promise<UserPlan>;
  /**
   * Writes the account's proved address, in lower case, over `replacing` or over none. Resolves with false
   * and changes nothing if the row is missing or has another address.
   */
  writeAddress(id: string, address: string, replacing?: string): Promise<boolean>;
  /**
   * Writes a decision over the row that it was made from, with `version` as an optimistic lock. Resolves with
   * undefined and changes nothing if another decision was written since, or if the row is gone.
   */
  decide(row: UserPlan, decision: DecidedFields, now: Date): Promise<UserPlan | undefined>;
  /**
   * Records a sign-in, unless a later one is recorded. `now`: the start of the account's idle year, since the
   * sign-in itself can be weeks old.
   */
  recordSignIn(id: string, at: Date, now: Date): Promise<void>;
  /**
   * Stores the user's Stripe customer if the row still has `replacing`. Resolves with the customer that is
   * stored now, which may be an earlier one; undefined if the account is gone or being deleted.
   */
  adoptCustomer(
    id: string,
    customerId: string,
    replacing: string | undefined,
    now: Date,
  ): Promise<string | undefined>;
  /** Removes this customer from the row, if the row has it. */
  disownCustomer(id: string, customerId: string): Promise<void>;
  /**
   * Stores the user's open Checkout Session if the row still has `replacing`. False if the row has another
   * session, or if the account is gone or being deleted.
   */
  adoptCheckout(id: string, sessionId: string, replacing: string | undefined, now: Date): Promise<boolean>;
  /**
   * Closes the row to new customers and checkouts until `until` (ISO 8601), and creates the row if there is
   * none. Resolves with the closed row, which names the user's only customer and checkout.
   */
  close(id: string, until: string): Promise<UserPlan>;
  /**
   * Removes everything about the user from a closed row. The attributes that find idle accounts stay, so that
   * a leftover row is eventually found and removed. With `idleDueAt`, resolves with false and changes nothing
   * if the row now has another `idle_due_at`: the user has signed in.
   */
  clear(id: string, idleDueAt?: string): Promise<boolean>;
  remove(id: string): Promise<void>;
  /** Ids of the rows of one shard whose plan expired at or before `now`, earliest first, page by page. */
  expired(shard: number, now: Date): AsyncIterable<string[]>;
}

export const plansTable = (name: string): PlansTable => new DynamoDbPlansTable(name);

class DynamoDbPlansTable implements PlansTable {
  readonly #table: string;

  constructor(name: string) {
    this.#table = name;
  }

  async read(id: string): Promise<UserPlan | undefined> {
    const { Item } = await dynamodb.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    return Item && checked(UserPlan.parse(Item));
  }

  async open(
    id: string,
    now: Date,
    { signedInAt, address }: Parameters<PlansTable['open']>[2] = {},
  ): Promise<UserPlan> {
    const at = now.toISOString();
    const row: UserPlan = {
      id,
      plan: 'free',
      created_at: at,
      updated_at: at,
      ...(signedInAt && { last_sign_in_at: signedInAt.toISOString() }),
      ...(address !== undefined && { address }),
      ...acceptedVersions,
      version: 1,
      ...inUse(id, now),
    };
    const isNew = await conditionHolds(() =>
      dynamodb.send(
        new PutCommand({
          TableName: this.#table,
          Item: row,
          ConditionExpression: 'attribute_not_exists(id)',
        }),
      ),
    );
    return isNew ? row : ((await this.read(id)) ?? row);
  }

  writeAddress(id: string, address: string, replacing = address): Promise<boolean> {
    return this.#update({
      Key: { id },
      UpdateExpression: 'SET address = :address',
      ConditionExpression:
        'attribute_exists(id) AND (attribute_not_exists(address) OR address IN (:address, :replacing))',
      ExpressionAttributeValues: { ':address': address, ':replacing': replacing },
    });
  }

  async decide(row: UserPlan, decision: DecidedFields, now: Date): Promise<UserPlan | undefined> {
    const decided = decidedRow(row, decision, now);
    const { names, values, expression } = assigning(decided);
    const written = await this.#update({
      Key: { id: row.id },
      UpdateExpression: expression,
      ConditionExpression:
        'attribute_exists(id) AND (#version = :before OR (attribute_not_exists(#version) AND :before = :unversioned))',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ...values, ':before': row.version, ':unversioned': 0 },
    });
    return written ? checked(UserPlan.parse({ ...row, ...decided })) : undefined;
  }

  async recordSignIn(id: string, at: Date, now: Date): Promise<void> {
    const { idle_due_at, idle_shard } = inUse(id, now);
    await this.#update({
      Key: { id },
      UpdateExpression:
        'SET last_sign_in_at = :at, idle_due_at = :due, idle_shard = :shard REMOVE idle_warnings, idle_returned_mail',
      ConditionExpression:
        'attribute_exists(id) AND (attribute_not_exists(last_sign_in_at) OR last_sign_in_at < :at)',
      ExpressionAttributeValues: { ':at': at.toISOString(), ':due': idle_due_at, ':shard': idle_shard },
    });
  }

  async adoptCustomer(
    id: string,
    customerId: string,
    replacing: string | undefined,
    now: Date,
  ): Promise<string | undefined> {
    const adopted = await this.#update({
      Key: { id },
      UpdateExpression: 'SET billing_customer_id = :adopted',
      ...adopting('billing_customer_id', customerId, replacing, now),
    });
    if (adopted) return customerId;
    const row = await this.read(id);
    return row && !isClosing(row, now) ? row.billing_customer_id : undefined;
  }

  async disownCustomer(id: string, customerId: string): Promise<void> {
    await this.#update({
      Key: { id },
      UpdateExpression: 'REMOVE billing_customer_id',
      ConditionExpression: 'billing_customer_id = :disowned',
      ExpressionAttributeValues: { ':disowned': customerId },
    });
  }

  adoptCheckout(id: string, sessionId: string, replacing: string | undefined, now: Date): Promise<boolean> {
    return this.#update({
      Key: { id },
      UpdateExpression: 'SET checkout_session_id = :adopted',
      ...adopting('checkout_session_id', sessionId, replacing, now),
    });
  }

  async close(id: string, until: string): Promise<UserPlan> {
    const { Attributes } = await dynamodb.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { id },
        UpdateExpression: 'SET closing_until = :until, #plan = if_not_exists(#plan, :free) ADD #version :one',
        ExpressionAttributeNames: { '#plan': 'plan', '#version': 'version' },
        ExpressionAttributeValues: { ':until': until, ':free': 'free', ':one': 1 },
        ReturnValues: 'ALL_NEW',
      }),
    );
    return UserPlan.parse(Attributes);
  }

  clear(id: string, idleDueAt?: string): Promise<boolean> {
    const isIdle = idleDueAt === undefined ? '' : ' AND idle_due_at = :due';
    return this.#update({
      Key: { id },
      // A higher version, so that a decision made from the earlier row loses.
      UpdateExpression: `SET #plan = :free REMOVE ${personal.join(', ')} ADD #version :one`,
      ConditionExpression: `attribute_exists(id)${isIdle}`,
      ExpressionAttributeNames: { '#plan': 'plan', '#version': 'version' },
      ExpressionAttributeValues: {
        ':free': 'free',
        ':one': 1,
        ...(idleDueAt !== undefined && { ':due': idleDueAt }),
      },
    });
  }

  async remove(id: string): Promise<void> {
    await dynamodb.send(new DeleteCommand({ TableName: this.#table, Key: { id } }));
  }

  async *expired(shard: number, now: Date): AsyncGenerator<string[]> {
    const pages = paginateQuery(
      { client: dynamodb },
      {
        TableName: this.#table,
        IndexName: 'by_expiry',
        KeyConditionExpression: 'expiry_shard = :shard AND plan_expires_at <= :now',
        ExpressionAttributeValues: { ':shard': shard, ':now': now.toISOString() },
      },
    );
    for await (const { Items = [] } of pages) yield Items.map(({ id }) => String(id));
  }

  /** Resolves with whether the update's condition held. */
  #update(update: Omit<ConstructorParameters<typeof UpdateCommand>[0], 'TableName'>): Promise<boolean> {
    return conditionHolds(() => dynamodb.send(new UpdateCommand({ TableName: this.#table, ...update })));
  }
}

/** An update that sets the defined fields and removes the undefined ones. */
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

/**
 * The condition for storing a customer or checkout in a row: the row exists, the attribute still has the
 * value that was read, and the account isn't being deleted.
 */
function adopting(
  attribute: string,
  adopted: string,
  replacing: string | undefined,
  now: Date,
): { ConditionExpression: string; ExpressionAttributeValues: Record<string, unknown> } {
  const still = replacing === undefined ? `attribute_not_exists(${attribute})` : `${attribute} = :before`;
  return {
    // The adopted value itself passes too, because the SDK repeats the request if an answer is lost.
    ConditionExpression: `attribute_exists(id) AND (${still} OR ${attribute} = :adopted) AND (attribute_not_exists(closing_until) OR closing_until <= :now)`,
    ExpressionAttributeValues: {
      ':adopted': adopted,
      ':now': now.toISOString(),
      ...(replacing !== undefined && { ':before': replacing }),
    },
  };
}
