import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';

/**
 * Ends sessions of the account. Our API refuses a browser's session from then on, although Cognito goes on
 * refreshing it: .github/decisions/0062-sessions.md.
 */
export const endpoint = {
  method: 'POST',
  path: '/end-session',
  caller: 'bearer',
  tables: {
    UserPlans: ['GetItem', 'UpdateItem'],
    AddressChanges: ['GetItem', 'PutItem'],
    AppSessions: ['GetItem', 'Query', 'UpdateItem', 'DeleteItem'],
  },
  userPool: ['AdminGetUser', 'ListUsers', 'AdminUserGlobalSignOut'],
  needs: [],
  /** `this`: the caller's. `all`: every session of the account, the caller's included. Else an `id`. */
  body: z.strictObject({ session: z.string().check(z.minLength(1), z.maxLength(100)) }),
  /** Whether every session was ended. */
  response: z.object({ all: z.boolean() }),
} as const satisfies Endpoint;
