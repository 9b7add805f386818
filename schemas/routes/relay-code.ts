import * as z from 'zod/mini';
import { CodeChallenge } from '../shapes/code-challenge.ts';
import type { Endpoint } from './endpoint.ts';

/** Exchanges Cognito's code for a short one, which an app can redeem for four minutes. */
export const endpoint = {
  method: 'POST',
  path: '/relay-code',
  caller: 'anyone',
  tables: { AppCodes: ['PutItem'] },
  needs: ['relayAddresses'],
  /** Cognito's authorization code, the app's challenge, and its address, to which our own code will go. */
  body: z.strictObject({
    // Cognito's codes are UUIDs.
    code: z.string().check(z.regex(/^[\w-]{1,256}$/)),
    redirect_uri: z.string().check(z.minLength(1), z.maxLength(2_048)),
    code_challenge: CodeChallenge,
  }),
  response: z.object({ code: z.string() }),
  status: 201,
  refusals: ['address-not-registered'],
} as const satisfies Endpoint;
