import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';

/** Ends an app's session (RFC 7009). */
export const endpoint = {
  method: 'POST',
  path: '/revoke',
  caller: 'app',
  tables: { AppSessions: ['DeleteItem'] },
  needs: ['relayClient', 'appTokens'],
  /** `token`: the session's refresh token. Any other text is ignored. */
  form: z.object({ client_id: z.string().check(z.minLength(1)), token: z.string().check(z.minLength(1)) }),
  response: z.object({}),
} as const satisfies Endpoint;
