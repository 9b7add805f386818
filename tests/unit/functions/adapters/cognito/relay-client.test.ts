import { beforeEach, describe, expect, test, vi } from 'vitest';
import { relayClient } from '../../../../../functions/adapters/cognito/relay-client.ts';

const client = relayClient({
  SIGN_IN_ORIGIN: 'https://sign-in.example',
  RELAY_CLIENT_ID: 'relay',
  RELAY_CALLBACK: 'https://selfsame.example/oauth/callback',
});

const jwt = (claims: object): string =>
  `header.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;
const tokens = {
  access_token: jwt({ sub: 'ada', scope: 'openid' }),
  id_token: 'an.id.token',
  refresh_token: 'refresh',
  expires_in: 900,
  token_type: 'Bearer',
};

let requests: Request[];
let answer: () => Response;
beforeEach(() => {
  requests = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    requests.push(new Request(url, init));
    return answer();
  });
});
/** The path of the request, and its form beside the client. */
const formSent = async () => {
  const { client_id, ...form } = Object.fromEntries(new URLSearchParams(await requests[0]?.text()));
  expect(client_id).toBe('relay');
  return [requests[0]?.url.replace('https://sign-in.example', ''), form];
};

describe('the relay’s client', () => {
  test('redeems a code with the app’s verifier', async () => {
    answer = () => Response.json(tokens);
    const { token_type: _, ...known } = tokens;
    const redeemedTokens = await client.redeem('a-code', 'a-verifier');
    expect(redeemedTokens).toEqual({ ...known, sub: 'ada', scope: 'openid' });
    const redirect_uri = 'https://selfsame.example/oauth/callback';
    const redeemed = { grant_type: 'authorization_code', code: 'a-code', code_verifier: 'a-verifier' };
    expect(await formSent()).toEqual(['/oauth2/token', { ...redeemed, redirect_uri }]);
  });

  test('refreshes, also where Cognito keeps its refresh token', async () => {
    answer = () => Response.json({ ...tokens, refresh_token: undefined });
    const { refresh_token, sub } = { ...(await client.refresh('refresh')) };
    expect([refresh_token, sub]).toEqual([undefined, 'ada']);
    const refreshed = { grant_type: 'refresh_token', refresh_token: 'refresh' };
    expect(await formSent()).toEqual(['/oauth2/token', refreshed]);
  });

  test('revokes', async () => {
    answer = () => new Response('');
    await client.revoke('refresh');
    expect(await formSent()).toEqual(['/oauth2/revoke', { token: 'refresh' }]);
  });

  test('takes `invalid_grant` for a refusal of what the app has shown', async () => {
    answer = () => Response.json({ error: 'invalid_grant' }, { status: 400 });
    expect(await client.redeem('a-code', 'a-verifier')).toBeUndefined();
    expect(await client.refresh('refresh')).toBeUndefined();
  });

  test.each<[string, () => Response]>([
    ['invalid_client', () => Response.json({ error: 'invalid_client' }, { status: 400 })],
    ['unauthorized_client', () => Response.json({ error: 'unauthorized_client' }, { status: 400 })],
    ['too many requests', () => Response.json({ error: 'invalid_grant' }, { status: 429 })],
    ['an error of its own', () => new Response('<html>', { status: 502 })],
    ['no token', () => Response.json({ ...tokens, access_token: undefined })],
    ['an access token that it can’t read', () => Response.json({ ...tokens, access_token: 'opaque' })],
    ['an access token of nobody', () => Response.json({ ...tokens, access_token: jwt({ scope: 'openid' }) })],
    ['nothing', () => new Response('')],
  ])('fails where Cognito answers with %s: no session may end for that', async (_, given) => {
    answer = given;
    const failure = await client.refresh('a-secret-token').catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'RelayClientFailure' });
    expect(String(failure)).toMatch(/^RelayClientFailure: \/oauth2\/token: /);
    expect(String(failure)).not.toMatch(/a-secret-token|opaque/);
  });

  test.each(['token', 'revoke'])('fails where Cognito can’t be reached: %s', async (path) => {
    answer = () => {
      throw new DOMException('The operation timed out: a-secret-token', 'TimeoutError');
    };
    const asked = path === 'token' ? client.refresh('a-secret-token') : client.revoke('a-secret-token');
    await expect(asked).rejects.toThrow(`/oauth2/${path}: TimeoutError`);
  });

  test('fails where Cognito doesn’t confirm a revocation', async () => {
    answer = () => Response.json({ error: 'invalid_request' }, { status: 400 });
    await expect(client.revoke('refresh')).rejects.toThrow('/oauth2/revoke: 400');
  });
});
