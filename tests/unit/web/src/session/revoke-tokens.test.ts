import { afterEach, expect, test, vi } from 'vitest';
import { revokeTokens } from '../../../../../web/src/session/revoke-tokens.ts';
import type { StoredTokens } from '../../../../../web/src/session/tokens.ts';

const config = {
  userPoolId: 'us-east-1_pool',
  userPoolClientId: 'site',
  userPoolEndpoint: 'https://pool.example',
  signInOrigin: 'https://sign-in.example',
  providers: [],
  relayClientId: 'relay',
  relayAddresses: [],
  stripePublishableKey: 'pk',
};
const tokens = { refreshToken: 'refresh' } as StoredTokens;
const refusal = (status: number, __type: string) => () =>
  Response.json({ __type, message: 'No.' }, { status });

/** Revokes while Cognito answers so. */
async function revokedBy(answer: () => Response) {
  const requests: RequestInit[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url === '/config.json') return Response.json(config);
    requests.push(init);
    return answer();
  });
  return { isRevoked: await revokeTokens(tokens), requests };
}
afterEach(() => void vi.unstubAllGlobals());

test('revoking sends the refresh token to Cognito, with a limit', async () => {
  const { isRevoked, requests } = await revokedBy(() => new Response(''));
  expect(isRevoked).toBe(true);
  expect(requests).toMatchObject([
    {
      headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.RevokeToken' },
      body: JSON.stringify({ ClientId: 'site', Token: 'refresh' }),
      signal: expect.any(AbortSignal) as AbortSignal,
    },
  ]);
});

const unanswered = () => {
  throw new TypeError('Failed to fetch');
};

test.each([
  ['says that the token is over', refusal(400, 'NotAuthorizedException'), true],
  ['answers 401', refusal(401, 'UnauthorizedException'), true],
  ['answers 403', () => new Response('<html>', { status: 403 }), true],
  ['answers 404', () => new Response('', { status: 404 }), true],
  ['is throttled', refusal(400, 'TooManyRequestsException'), false],
  ['fails', refusal(500, 'InternalErrorException'), false],
  ['gives no answer', unanswered, false],
])('if Cognito %s, the session has ended there, or goes on', async (_, answer, isOver) => {
  expect((await revokedBy(answer)).isRevoked).toBe(isOver);
});
