/** The facts of a table. The construct, the functions' variables and rights, and restores are derived. */
interface TableFacts {
  /** Attributes of the partition key and of the sort key. All keys are strings. */
  key: readonly [partition: string, sort?: string];
  /** Global secondary indexes: partition key (a number), sort key (a string). Sparse, with keys alone. */
  indexes?: Readonly<Record<string, readonly [partition: string, sort: string]>>;
  /** The attribute with the time (Unix seconds) after which DynamoDB deletes an item. */
  timeToLive?: string;
  /**
   * The attribute that tells whose items these are: a `sub`, an address, or a code's hash. Null if they hold
   * no data of a user. `functions/accounts/personal-data.ts` says what exports and deletions do with them.
   */
  personal: string | null;
  /** No function has a right to this table. */
  operatorsOnly?: true;
}

/** The stack's tables, by their ids in the construct `Data`. An id is part of names at AWS, so it stays. */
export const tables = {
  /** A row for each user. The sweeps read the indexes: rows that expire, accounts that can become idle. */
  UserPlans: {
    key: ['id'],
    indexes: { by_expiry: ['expiry_shard', 'plan_expires_at'], by_idle: ['idle_shard', 'idle_due_at'] },
    personal: 'id',
  },
  Waitlist: { key: ['email'], personal: 'email' },
  /** Work left to do at Stripe: a few items, by kind, some with a user's id. */
  StripeWork: { key: ['kind', 'id'], personal: 'id' },
  /** A waiting change of address and disconnected providers, by the account's `sub`. */
  AddressChanges: { key: ['id'], timeToLive: 'expires_at', personal: 'id' },
  /** The links that prove an address, by their keyed hash. */
  Proofs: { key: ['id'], timeToLive: 'expires_at', personal: 'email' },
  /** Counters of what anybody may do to an address (`functions/adapters/dynamodb/address-limits.ts`). */
  Limits: { key: ['id'], timeToLive: 'expires_at', personal: null },
  /** The account that has confirmed each address. */
  Addresses: { key: ['email'], personal: 'email' },
  AppCodes: { key: ['code_hash'], timeToLive: 'expires_at', personal: 'code_hash' },
  AppSessions: { key: ['user_id', 'id'], timeToLive: 'expires_at', personal: 'user_id' },
  /** Support's actions, by the account's `sub` and the time. */
  SupportAudit: { key: ['id', 'at'], personal: 'id', operatorsOnly: true },
} as const satisfies Record<string, TableFacts>;

type Tables = typeof tables;
export type TableId = keyof Tables;
export const factsOf = (id: TableId): TableFacts => tables[id];

export const tableIds = Object.keys(tables) as TableId[];

/** The tables that functions can use. */
export type TableName = { [T in TableId]: Tables[T] extends { operatorsOnly: true } ? never : T }[TableId];

export const tableNames = tableIds.filter((id): id is TableName => !factsOf(id).operatorsOnly);

export type PersonalTable = { [T in TableId]: Tables[T] extends { personal: string } ? T : never }[TableId];

type IndexName = {
  [T in TableId]: Tables[T] extends { indexes: infer I } ? keyof I & string : never;
}[TableId];

/** An action of IAM without its prefix `dynamodb:`, on a table or on one of its indexes. */
export type TableAction =
  | 'DescribeTable'
  | 'GetItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'Query'
  | `Query:${IndexName}`
  | 'Scan';

/** `UserPlans` as `USER_PLANS`. */
type UpperSnake<
  Name extends string,
  Start extends boolean = true,
> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Uppercase<First> ? (Start extends true ? '' : '_') : ''}${Uppercase<First>}${UpperSnake<Rest, false>}`
  : '';

/** The variable with a table's name at AWS, such as `USER_PLANS_TABLE`. */
export type TableVariable<T extends TableName> = `${UpperSnake<T>}_TABLE`;

export const tableVariable = <T extends TableName>(table: T): TableVariable<T> =>
  `${table.replaceAll(/(?<!^)(?=[A-Z])/g, '_').toUpperCase()}_TABLE` as TableVariable<T>;
