import * as z from 'zod/mini';
import { WaitingAddress } from '../shapes/new-address.ts';
import { ListedSession, WaysIn } from '../shapes/sessions.ts';
import { type Endpoint, sessionTables } from './endpoint.ts';

/**
 * Notes that the caller's browser is in use, and answers with the sessions of the account and the ways to
 * sign in to it. An unknown browser is mailed to its owner. The answer sets a cookie by which the browser is
 * known again.
 */
export const endpoint = {
  method: 'POST',
  path: '/sessions',
  caller: 'bearer',
  notesSession: true,
  tables: { ...sessionTables, UserPlans: ['GetItem'], AddressChanges: ['GetItem'] },
  needs: ['mail', 'site'],
  body: z.strictObject({}),
  response: z.object({
    /** The caller's own first, then by last use. */
    sessions: z.array(ListedSession),
    waysIn: WaysIn,
    /** The change of address that waits; null if there is none. */
    waitingAddress: z.nullable(WaitingAddress),
  }),
} as const satisfies Endpoint;
