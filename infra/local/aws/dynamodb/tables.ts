import {
  type CreateTableCommandInput,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { propertiesOf } from '../../stack/resource-properties.ts';
import { arn, generatedName, REGION, type ResourceType, type Unnamed } from '../../stack/resource-type.ts';
import { StartFailure } from '../../base/start-failure.ts';
import type { Stack } from '../../stack/template.ts';

const nameOf = (table: Unnamed) => table.text('TableName') ?? generatedName(table);
const tableType: ResourceType = {
  ref: nameOf,
  attributes: {
    Arn: (table) => arn('dynamodb', `table/${nameOf(table)}`),
    StreamArn: (table) => arn('dynamodb', `table/${nameOf(table)}/stream/local`),
    TableId: (table) => nameOf(table),
  },
};

export const dynamodbTypes = {
  'AWS::DynamoDB::Table': tableType,
  // What CDK's TableV2 makes; with one replica it is an ordinary table.
  'AWS::DynamoDB::GlobalTable': tableType,
} satisfies Record<string, ResourceType>;

const KeySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));
const Index = z.object({
  IndexName: z.string(),
  KeySchema,
  Projection: z.object({
    ProjectionType: z.optional(z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE'])),
    NonKeyAttributes: z.optional(z.array(z.string())),
  }),
});
const TableProperties = z.object({
  KeySchema,
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  GlobalSecondaryIndexes: z.optional(z.array(Index)),
  LocalSecondaryIndexes: z.optional(z.array(Index)),
  TimeToLiveSpecification: z.optional(
    z.object({ AttributeName: z.optional(z.string()), Enabled: z._default(z.boolean(), true) }),
  ),
});
type TableProperties = z.infer<typeof TableProperties>;

/** The stack's tables, in a real engine. */
export class Tables {
  readonly #client: DynamoDBClient;
  readonly #documents: DynamoDBDocumentClient;
  /** Logical ids by table name. */
  #tables = new Map<string, string>();

  constructor(endpoint: string) {
    this.#client = new DynamoDBClient({
      endpoint,
      region: REGION,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
    this.#documents = DynamoDBDocumentClient.from(this.#client);
  }

  /** Creates the tables and indexes that aren't there. Tables that left the template keep their rows. */
  async update(stack: Stack): Promise<void> {
    const resources = Object.keys(dynamodbTypes).flatMap((type) => stack.of(type));
    for (const resource of resources) {
      await this.#put(resource.ref, propertiesOf(TableProperties, resource));
    }
    this.#tables = new Map(resources.map(({ ref, id }) => [ref, id]));
  }

  names(): string[] {
    return [...this.#tables.keys()];
  }

  /**
   * The first `limit` rows of a table, called by its name or by what the stack's code calls it: CloudFormation's
   * logical id ends with that and a hash. Undefined if there is no such table.
   */
  async rows(called: string, limit = 1_000): Promise<Record<string, unknown>[] | undefined> {
    const wanted = called.toLowerCase();
    const found = [...this.#tables].find(
      ([name, id]) => name.toLowerCase() === wanted || withoutHash(id).toLowerCase().endsWith(wanted),
    );
    if (!found || !wanted) return undefined;
    const rows: Record<string, unknown>[] = [];
    for await (const page of paginateScan({ client: this.#documents }, { TableName: found[0] })) {
      rows.push(...(page.Items ?? []));
      if (rows.length >= limit) break;
    }
    return rows.slice(0, limit);
  }

  stop(): void {
    this.#client.destroy();
  }

  async #put(name: string, wanted: TableProperties): Promise<void> {
    const standing = await this.#describe(name);
    if (!standing) {
      await this.#client.send(new CreateTableCommand(creation(name, wanted)));
    } else if (!isDeepStrictEqual(keys(standing.KeySchema), keys(wanted.KeySchema))) {
      throw new StartFailure(
        `The key of table ${name} has changed, which a table with rows can't follow: start with --fresh to begin empty.`,
      );
    } else {
      await this.#addIndexes(name, standing, wanted);
    }
    const ttl = wanted.TimeToLiveSpecification;
    if (!standing && ttl?.Enabled && ttl.AttributeName !== undefined) {
      await this.#client.send(
        new UpdateTimeToLiveCommand({
          TableName: name,
          TimeToLiveSpecification: { AttributeName: ttl.AttributeName, Enabled: true },
        }),
      );
    }
  }

  async #addIndexes(name: string, standing: TableDescription, wanted: TableProperties): Promise<void> {
    const there = new Set(standing.GlobalSecondaryIndexes?.map((index) => index.IndexName));
    for (const index of wanted.GlobalSecondaryIndexes ?? []) {
      if (there.has(index.IndexName)) continue;
      await this.#client.send(
        new UpdateTableCommand({
          TableName: name,
          AttributeDefinitions: wanted.AttributeDefinitions,
          GlobalSecondaryIndexUpdates: [{ Create: indexOf(index) }],
        }),
      );
    }
  }

  async #describe(name: string): Promise<TableDescription | undefined> {
    try {
      return (await this.#client.send(new DescribeTableCommand({ TableName: name }))).Table;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  }
}

function creation(name: string, properties: TableProperties): CreateTableCommandInput {
  return {
    TableName: name,
    KeySchema: properties.KeySchema,
    AttributeDefinitions: properties.AttributeDefinitions,
    BillingMode: 'PAY_PER_REQUEST',
    ...(properties.GlobalSecondaryIndexes && {
      GlobalSecondaryIndexes: properties.GlobalSecondaryIndexes.map(indexOf),
    }),
    ...(properties.LocalSecondaryIndexes && {
      LocalSecondaryIndexes: properties.LocalSecondaryIndexes.map(indexOf),
    }),
  };
}

const indexOf = ({ IndexName, KeySchema, Projection }: z.infer<typeof Index>) => ({
  IndexName,
  KeySchema,
  Projection: {
    ProjectionType: Projection.ProjectionType,
    ...(Projection.NonKeyAttributes && { NonKeyAttributes: Projection.NonKeyAttributes }),
  },
});

const keys = (
  schema: readonly { AttributeName?: string | undefined; KeyType?: string | undefined }[] | undefined,
) => (schema ?? []).map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`);

// The hash CDK ends a logical id with.
const withoutHash = (id: string) => id.replace(/[0-9A-F]{8}$/, '');
