import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';

/** Receives browsers' reports of violations of the content security policy. */
export const endpoint = {
  method: 'POST',
  path: '/csp-report',
  caller: 'browser',
  needs: [],
  response: z.object({}),
  // A report repeats the whole policy, and browsers send several at once.
  maximumBody: 64 * 1024,
} as const satisfies Endpoint;
