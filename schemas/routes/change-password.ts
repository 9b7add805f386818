import * as z from 'zod/mini';
import { type Endpoint, sessionTables } from './endpoint.ts';
import { plainText } from '../plain-text.ts';

// Cognito's maximum: "PasswordType" in its API reference.
const Password = z.string().check(z.overwrite(plainText), z.minLength(1), z.maxLength(256));

/** Changes the caller's password and ends the account's sessions. */
export const endpoint = {
  method: 'POST',
  path: '/change-password',
  caller: 'bearer',
  notesSession: true,
  tables: {
    ...sessionTables,
    UserPlans: ['GetItem', 'UpdateItem'],
    AddressChanges: ['GetItem', 'PutItem'],
    AppSessions: ['Query', 'PutItem', 'DeleteItem'],
    Proofs: ['PutItem'],
  },
  userPool: ['AdminGetUser', 'AdminInitiateAuth', 'AdminSetUserPassword', 'AdminUserGlobalSignOut'],
  needs: ['proofs', 'ownPassword', 'mail', 'site'],
  body: z.strictObject({ currentPassword: Password, newPassword: Password }),
  response: z.object({
    success: z.literal(true),
    /** Whether all earlier sessions were ended, the caller's too. The password is changed either way. */
    sessionsEnded: z.boolean(),
  }),
  refusals: ['wrong-password', 'weak-password', 'no-password', 'too-many-tries'],
} as const satisfies Endpoint;
