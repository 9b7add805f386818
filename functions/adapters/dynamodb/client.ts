import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  paginateQuery,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { QUICK } from '../request-limits.ts';

export const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient(QUICK));

/** Makes a conditional write. Resolves with its answer; undefined if its condition didn't hold. */
export async function ifHolds<Answer>(write: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

export interface Expression {
  texts: readonly string[];
  values: readonly unknown[];
}

/** An expression: `#name` for an attribute with a reserved name, `${value}` for a value or a part. */
export const ex = (texts: readonly string[], ...values: unknown[]): Expression => ({ texts, values });

const isExpression = (value: unknown): value is Expression =>
  typeof value === 'object' && value !== null && 'texts' in value;

/** The fields of a request that has these expressions. */
export function expressions<N extends string>(named: Partial<Record<N, Expression | undefined>>) {
  const values: Record<string, unknown> = {};
  const textOf = (expression: Expression): string =>
    expression.texts.reduce((text, part, index) => text + place(expression.values[index - 1]) + part);
  const place = (value: unknown): string => {
    if (isExpression(value)) return textOf(value);
    const name = `:v${Object.keys(values).length}`;
    values[name] = value;
    return name;
  };
  const texts = Object.entries<Expression | undefined>(named).flatMap(([name, expression]) =>
    expression ? [[name, textOf(expression)] as const] : [],
  );
  const names = texts.flatMap(([, text]) => text.match(/#\w+/g) ?? []);
  return {
    ...(Object.fromEntries(texts) as Partial<Record<N, string>>),
    ...(names.length > 0 && {
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [name, name.slice(1)])),
    }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

type Item = Record<string, unknown>;
type Key = Record<string, string>;

/** Reads an item, strongly consistently. */
export async function read<S extends z.ZodMiniType>(
  TableName: string,
  Key: Key,
  schema: S,
): Promise<z.infer<S> | undefined> {
  const { Item } = await dynamodb.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item && schema.parse(Item);
}

/** The items that a table has for a key, page by page: strongly consistently, but for those of an index. */
export async function* query(
  TableName: string,
  key: Expression,
  { index: IndexName, filter }: { index?: string; filter?: Expression } = {},
): AsyncGenerator<Item[]> {
  const expressed = expressions({ KeyConditionExpression: key, FilterExpression: filter });
  const pages = paginateQuery(
    { client: dynamodb },
    { TableName, ...(IndexName === undefined ? { ConsistentRead: true } : { IndexName }), ...expressed },
  );
  for await (const { Items = [] } of pages) yield Items;
}

/** The ids that an index has for a key, in its order, page by page. */
export async function* idsIn(TableName: string, index: string, key: Expression): AsyncGenerator<string[]> {
  for await (const items of query(TableName, key, { index })) yield items.map(({ id }) => String(id));
}

// Each write resolves with whether its condition held.

export async function put(TableName: string, Item: Item, condition?: Expression): Promise<boolean> {
  const command = new PutCommand({ TableName, Item, ...expressions({ ConditionExpression: condition }) });
  return (await ifHolds(() => dynamodb.send(command))) !== undefined;
}

const updateCommand = (TableName: string, Key: Key, change: Expression, condition?: Expression) => ({
  TableName,
  Key,
  ...expressions({ UpdateExpression: change, ConditionExpression: condition }),
});

export async function update(...of: Parameters<typeof updateCommand>): Promise<boolean> {
  const command = new UpdateCommand(updateCommand(...of));
  return (await ifHolds(() => dynamodb.send(command))) !== undefined;
}

/** Resolves with the item after the update; undefined if the condition didn't hold. */
export async function updated(...of: Parameters<typeof updateCommand>): Promise<Item | undefined> {
  const command = new UpdateCommand({ ...updateCommand(...of), ReturnValues: 'ALL_NEW' });
  return (await ifHolds(() => dynamodb.send(command)))?.Attributes;
}

/** Resolves with the removed item; undefined if there was none, or the condition didn't hold. */
export async function remove(TableName: string, Key: Key, condition?: Expression): Promise<Item | undefined> {
  const expressed = expressions({ ConditionExpression: condition });
  const command = new DeleteCommand({ TableName, Key, ...expressed, ReturnValues: 'ALL_OLD' });
  return (await ifHolds(() => dynamodb.send(command)))?.Attributes;
}
