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
import type { AwsService, ServiceContext } from '../service.ts';
import { type Engine, startEngine } from './engine.ts';

const nameOf = (table: Unnamed) => table.text('TableName') ?? generatedName(table);
const tableType: ResourceType = {
  ref: nameOf,
  attributes: {
    Arn: (table) => arn('dynamodb', `table/${nameOf(table)}`),
    StreamArn: (table) => arn('dynamodb', `table/${nameOf(table)}/stream/local`),
    TableId: (table) => nameOf(table),
  },
};

const types: Record<string, ResourceType> = {
  'AWS::DynamoDB::Table': tableType,
  // CDK's TableV2. With one replica, it is an ordinary table.
  'AWS::DynamoDB::GlobalTable': tableType,
};

export const dynamodb = {
  types,
  async start({ dataDir, endpoints, say }: ServiceContext) {
    const engine = await startEngine({ dataDir, say });
    if (engine.kind === 'java') say("Using Amazon's own DynamoDB Local, on Java.");
    endpoints['DYNAMODB'] = engine.endpoint;
    return new Tables(engine);
  },
} satisfies AwsService;

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

/** The stack's tables, in a DynamoDB engine. */
export class Tables {
  readonly #engine: Engine;
  readonly #client: DynamoDBClient;
  readonly #documents: DynamoDBDocumentClient;
  /** Logical ids by table name. */
  #tables = new Map<string, string>();
  readonly #keys = new Map<string, string[]>();

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#client = new DynamoDBClient({
      endpoint: engine.endpoint,
      region: REGION,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
    this.#documents = DynamoDBDocumentClient.from(this.#client);
  }

  /** Creates missing tables and indexes. A table that left the template keeps its rows. */
  async update(stack: Stack): Promise<void> {
    const resources = Object.keys(types).flatMap((type) => stack.of(type));
    for (const resource of resources) {
      const properties = propertiesOf(TableProperties, resource);
      this.#keys.set(
        resource.ref,
        properties.KeySchema.map(({ AttributeName }) => AttributeName),
      );
      await this.#createOrExtend(resource.ref, properties);
    }
    this.#tables = new Map(resources.map(({ ref, id }) => [ref, id]));
  }

  get endpoint(): string {
    return this.#engine.endpoint;
  }

  names(): string[] {
    return [...this.#tables.keys()];
  }

  /** The attributes of a table's key: the partition key, then the sort key if there is one. */
  keysOf(table: string): readonly string[] {
    return this.#keys.get(table) ?? [];
  }

  /** The first `limit` rows. `called`: the table's or its construct's name. Undefined if there is none. */
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

  /** Stops the engine too. */
  async stop(): Promise<void> {
    this.#client.destroy();
    await this.#engine.stop();
  }

  async #createOrExtend(name: string, wanted: TableProperties): Promise<void> {
    const existing = await this.#describe(name);
    if (!existing) {
      await this.#client.send(new CreateTableCommand(creation(name, wanted)));
    } else if (!isDeepStrictEqual(keys(existing.KeySchema), keys(wanted.KeySchema))) {
      throw new StartFailure(
        `The key of table ${name} has changed, and its rows can't change with it: start with --fresh to begin empty.`,
      );
    } else {
      await this.#addIndexes(name, existing, wanted);
    }
    const ttl = wanted.TimeToLiveSpecification;
    if (!existing && ttl?.Enabled && ttl.AttributeName !== undefined) {
      await this.#client.send(
        new UpdateTimeToLiveCommand({
          TableName: name,
          TimeToLiveSpecification: { AttributeName: ttl.AttributeName, Enabled: true },
        }),
      );
    }
  }

  async #addIndexes(name: string, existing: TableDescription, wanted: TableProperties): Promise<void> {
    const names = new Set(existing.GlobalSecondaryIndexes?.map((index) => index.IndexName));
    for (const index of wanted.GlobalSecondaryIndexes ?? []) {
      if (names.has(index.IndexName)) continue;
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

const indexOf = ({ IndexName, KeySchema: keys, Projection }: z.infer<typeof Index>) => ({
  IndexName,
  KeySchema: keys,
  Projection: {
    ProjectionType: Projection.ProjectionType,
    ...(Projection.NonKeyAttributes && { NonKeyAttributes: Projection.NonKeyAttributes }),
  },
});

const keys = (
  schema: readonly { AttributeName?: string | undefined; KeyType?: string | undefined }[] | undefined,
) => (schema ?? []).map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`);

// CDK's logical ids end with a hash.
const withoutHash = (id: string) => id.replace(/[0-9A-F]{8}$/, '');
