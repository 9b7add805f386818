/** The stack's tables, by their ids in the construct `Data`. */
export const tableIds = [
  'UserPlans',
  'Waitlist',
  'StripeWork',
  'AddressChanges',
  'Addresses',
  'AppCodes',
  'AppSessions',
  'SupportAudit',
] as const;

export type TableId = (typeof tableIds)[number];

export const isTableId = (id: string | undefined): id is TableId => tableIds.some((known) => known === id);

/** Whether a resource's logical id is that of the table. CDK appends a hash of eight digits. */
export const isLogicalIdOf = (id: TableId, logicalId: string): boolean =>
  new RegExp(`^Data${id}[0-9A-F]{8}$`).test(logicalId);

/** The attribute with the time (Unix seconds) after which DynamoDB deletes an item. */
export const timeToLive: Partial<Record<TableId, string>> = {
  AddressChanges: 'expires_at',
  AppCodes: 'expires_at',
  AppSessions: 'expires_at',
};
