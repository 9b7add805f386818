/** The stack's tables, by their ids in the construct `Data`. */
export const tableIds = [
  'UserPlans',
  'Waitlist',
  'StripeWork',
  'AddressChanges',
  'Addresses',
  'SupportAudit',
] as const;

export type TableId = (typeof tableIds)[number];

export const isTableId = (id: string | undefined): id is TableId => tableIds.some((known) => known === id);

/** The attribute with the time (Unix seconds) after which DynamoDB deletes an item. */
export const timeToLive: Partial<Record<TableId, string>> = { AddressChanges: 'expires_at' };
