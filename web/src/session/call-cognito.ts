import * as z from 'zod/mini';
import type { PoolOperationOf } from '../../../schemas/config/pool-operations.ts';
import { NetworkError, siteConfig } from '../pages/site-config.ts';

// Milliseconds. Cognito waits for our triggers, which have five seconds and up to three tries.
const LIMIT = 20_000;

const Failure = z.object({ __type: z.string(), message: z.optional(z.string()) });

/** An error of Cognito, or the status of an answer that isn't Cognito's. Has the form of Amplify's errors. */
export class CognitoError extends Error {
  readonly metadata: { httpStatusCode: number; requestId: string | null };

  constructor({ status, headers }: Response, answer: unknown) {
    const { __type = 'UnreadableAnswer', message } = Failure.safeParse(answer).data ?? {};
    super(message);
    this.name = __type.replace(/^.*#/, '');
    this.metadata = { httpStatusCode: status, requestId: headers.get('x-amzn-requestid') };
  }
}

/**
 * Calls an operation, all but the sign-in with a password, whose arithmetic is Amplify's. Amplify's own calls
 * have no limit, store the tokens of an answer whenever it comes, also after a sign-out, and don't say
 * whether a token was revoked. Rejects with a `CognitoError`, or with a `NetworkError` without an answer
 * within `limit` ms.
 */
export async function callCognito(
  operation: PoolOperationOf<'site'>,
  input: Record<string, unknown>,
  limit: number = LIMIT,
): Promise<unknown> {
  const { userPoolEndpoint, userPoolClientId } = await siteConfig();
  const response = await fetch(userPoolEndpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    // An access token names the client itself.
    body: JSON.stringify({ ...(!('AccessToken' in input) && { ClientId: userPoolClientId }), ...input }),
    cache: 'no-store',
    signal: AbortSignal.timeout(limit),
  }).catch((cause: unknown) => {
    throw new NetworkError(`${operation} got no answer.`, { cause });
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new CognitoError(response, answer);
  return answer;
}
