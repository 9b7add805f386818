import * as z from 'zod/mini';
import { DeleteAccountResponse } from '../account.ts';
import type { Endpoint } from '../endpoint.ts';

/** Deletes the caller's account, and ends its subscription at once. */
export const endpoint = {
  method: 'POST',
  path: '/delete-account',
  caller: 'bearer',
  needs: ['writePlans', 'deletePlans', 'addresses', 'removeAddressChanges', 'stripe', 'leaveTasks', 'mail'],
  body: z.strictObject({}),
  response: DeleteAccountResponse,
  status: 200,
  refusals: ['sign-in-again'],
} as const satisfies Endpoint;
