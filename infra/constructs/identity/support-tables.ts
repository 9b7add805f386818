/** The tables that support's commands read or write: outputs of the stack, such as `UserPlansTable`. */
export const supportTables = [
  'UserPlans',
  'StripeWork',
  'Waitlist',
  'AddressChanges',
  'AppSessions',
  'SupportAudit',
] as const;
export type SupportTable = (typeof supportTables)[number];
