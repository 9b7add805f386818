import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serveGitHubOidc } from '../../../../functions/github-oidc/github-oidc.ts';
import { startFakeGitHub } from '../../../fixtures/fakes/fake-github.ts';
import {
  authorization,
  bodyOf,
  clientSecret,
  cognitoCallback,
  errorIn,
  formToRedeem,
  gitHubClient,
  GitHubOidcWorld,
  signInPage,
} from '../../../fixtures/fakes/github-oidc-world.ts';
import { fromCloudFront } from '../../../fixtures/fakes/origin-key.ts';

let world: GitHubOidcWorld;

beforeAll(async () => {
  world = await GitHubOidcWorld.start();
});
afterAll(() => world.gitHub.stop());
beforeEach(() => world.reset());

describe('token', () => {
  const basicAuth = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;
  const byBasicAuth = (credentials: string, form: Record<string, string>) =>
    world.ask('token', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: basicAuth(credentials),
      },
      body: new URLSearchParams({ grant_type: 'authorization_code', ...form }).toString(),
    });

  test('accepts the secret by HTTP Basic as well', async () => {
    const form = { code: await world.codeForCognito(), redirect_uri: cognitoCallback };
    const answer = await byBasicAuth(`cognito:${clientSecret}`, form);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers?.['cache-control']).toBe('no-store');
  });

  test('refuses a code after a minute, without calling GitHub', async () => {
    const code = await world.codeForCognito();
    world.later(60);
    expect(bodyOf(await world.redeem(code))['error']).toBe('invalid_grant');
    expect(world.gitHub.requests).toEqual([]);
  });

  test.each([
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an empty secret', { client_secret: '' }, 401, 'invalid_client'],
    ['another client', { client_id: 'another' }, 401, 'invalid_client'],
    ['another grant', { grant_type: 'refresh_token' }, 400, 'unsupported_grant_type'],
    ['another address', { redirect_uri: 'https://evil.example' }, 400, 'invalid_grant'],
    ['an unknown code', { code: 'made-up' }, 400, 'invalid_grant'],
  ])('refuses %s', async (_, change, status, error) => {
    expect(errorIn(await world.redeem(await world.codeForCognito(), change))).toEqual([status, error]);
    expect(world.gitHub.requests).toEqual([]);
  });

  test('answers an unknown client with a challenge', async () => {
    const answer = await world.redeem('code', { client_secret: 'wrong' });
    expect(answer.headers?.['www-authenticate']).toMatch(/^Basic/);
  });

  test.each(['cognito', `cognito${clientSecret}`, ''])(
    'refuses the HTTP Basic credentials %o',
    async (text) => {
      expect(errorIn(await byBasicAuth(text, {}))).toEqual([401, 'invalid_client']);
    },
  );

  test('refuses a client that sends its secret in both ways', async () => {
    const headers = { authorization: basicAuth(`cognito:${clientSecret}`) };
    const answer = await world.redeem(await world.codeForCognito(), {}, headers);
    expect(bodyOf(answer)['error']).toBe('invalid_request');
  });

  test('refuses an access token instead of a code', async () => {
    const { access_token = '' } = await world.tokens();
    expect(bodyOf(await world.redeem(access_token))['error']).toBe('invalid_grant');
  });

  test('refuses a body of more than eight kibibytes', async () => {
    const length = formToRedeem('').length;
    expect((await world.redeem('c'.repeat(8 * 1024 - length))).statusCode).toBe(400);
    expect((await world.redeem('c'.repeat(8 * 1024 - length + 1))).statusCode).toBe(413);
  });

  test.each([
    ['has no verified address', [{ email: 'ada@example.com', primary: true, verified: false }]],
    [
      'has verified another address than the primary one',
      [
        { email: 'ada@example.com', primary: true, verified: false },
        { email: 'other@example.com', primary: false, verified: true },
      ],
    ],
    ['has no address', []],
  ])('tells a user who %s what to do', async (_, emails) => {
    world.gitHub.user.emails = emails;
    const answer = await world.redeem(await world.codeForCognito());
    expect(errorIn(answer)).toEqual([400, 'access_denied']);
    expect(bodyOf(answer)['error_description']).toBe(
      'GitHub has no verified email address for this account. Verify one at GitHub and try again.',
    );
  });

  test('says the same if GitHub itself refuses an unverified user', async () => {
    world.gitHub.fixedAnswers.set('/login/oauth/access_token', {
      status: 200,
      body: '{"error":"unverified_user_email","error_description":"…"}',
    });
    expect((await world.tokens())['error']).toBe('access_denied');
  });
});

describe('when GitHub fails', () => {
  test.each([
    ['/login/oauth/access_token', 503, '<html>'],
    ['/login/oauth/access_token', 200, 'not json'],
    ['/login/oauth/access_token', 200, '{"error":"incorrect_client_credentials"}'],
    ['/login/oauth/access_token', 200, '[]'],
    ['/user', 500, '{}'],
    ['/user', 200, '{"id":"4711","login":"ada"}'],
    ['/user/emails', 404, '{}'],
    ['/user/emails', 200, '[{"email":"ada@example.com","primary":true,"verified":"yes"}]'],
  ])('an answer of %s, %i %s, becomes a logged 502', async (path, status, body) => {
    world.gitHub.fixedAnswers.set(path, { status, body });
    const answer = await world.redeem(await world.codeForCognito());
    expect(errorIn(answer)).toEqual([502, 'temporarily_unavailable']);
    expect(world.logged).toContain('"github-step-failed"');
    expect(world.logged).toContain('"upstream":"github"');
    expect(world.logged).toContain(path);
  });

  test('no answer becomes a 502 too', async () => {
    const gone = await startFakeGitHub(gitHubClient);
    await gone.stop();
    const code = await world.codeForCognito();
    const alive = world.gitHub;
    world.gitHub = gone;
    const answer = await world.redeem(code).finally(() => {
      world.gitHub = alive;
    });
    expect(answer.statusCode).toBe(502);
  });
});

describe('userinfo', () => {
  const tokenFrom = async (secondsAgo: number) => {
    const { access_token } = await world.tokens();
    world.later(secondsAgo);
    return `Bearer ${access_token}`;
  };

  test.each<[string, () => Promise<string> | string | undefined]>([
    ['nothing', () => undefined],
    ['another scheme', () => 'Basic abc'],
    ['an unknown token', () => 'Bearer made-up'],
    ['a token under another scheme', async () => (await tokenFrom(0)).replace('Bearer', 'Basic')],
    ['a token with more behind it', async () => `${await tokenFrom(0)} more`],
    ['a token after five minutes', () => tokenFrom(300)],
    ['a code instead of a token', async () => `Bearer ${await world.codeForCognito()}`],
  ])('refuses %s', async (_, given) => {
    const sent = await given();
    const answer = await world.ask('userinfo', { headers: { ...(sent && { authorization: sent }) } });
    expect(errorIn(answer)).toEqual([401, 'invalid_token']);
    expect(answer.headers?.['www-authenticate']).toMatch(/^Bearer/);
  });

  test('accepts a token under the scheme’s name in any case', async () => {
    const headers = { authorization: (await tokenFrom(0)).replace('Bearer', 'bearer') };
    expect((await world.ask('userinfo', { headers })).statusCode).toBe(200);
  });
});

test('only the public key is published, cacheable for an hour', async () => {
  const answer = await world.ask('jwks', {});
  expect(answer.headers?.['cache-control']).toBe('public, max-age=3600');
  const { keys } = bodyOf(answer) as unknown as JSONWebKeySet;
  expect(Object.keys(keys[0] ?? {}).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});

test('other steps and other methods are refused', async () => {
  for (const step of ['nothing', 'constructor']) expect((await world.ask(step, {})).statusCode).toBe(404);
  expect((await world.ask('token', {})).statusCode).toBe(405);
  expect((await world.ask('authorize', { method: 'DELETE' })).statusCode).toBe(405);
});

test('a request without a step is answered like one for an unknown step', async () => {
  const answer = await world.handle({
    headers: fromCloudFront,
    requestContext: {
      requestId: 'request',
      http: { method: 'GET' },
    } as APIGatewayProxyEventV2['requestContext'],
  });
  expect(answer.statusCode).toBe(404);
});

test('a refusal is not logged as a failure, which would raise the alarm', async () => {
  await world.ask('userinfo', {});
  expect(JSON.parse(world.logged)).toEqual([
    { event: 'github-step-refused', step: 'userinfo', requestId: 'request', code: 'invalid_token' },
  ]);
});

test('an unexpected failure is answered without detail, and the browser with our sign-in page', async () => {
  const broken = serveGitHubOidc({
    ...world.dependencies(),
    secrets: () => Promise.reject(new Error('the secret is gone')),
  });
  const ask = (step: string, query: Record<string, string> = {}) =>
    broken({
      headers: fromCloudFront,
      rawQueryString: new URLSearchParams(query).toString(),
      pathParameters: { step },
      requestContext: { requestId: 'request', http: { method: 'GET' } },
    } as unknown as APIGatewayProxyEventV2);
  const answer = await ask('userinfo');
  expect(errorIn(answer)).toEqual([500, 'server_error']);
  expect(answer.body).not.toContain('gone');
  expect(await ask('authorize', authorization)).toEqual(signInPage('github-failed'));
  expect(world.logged.match(/"github-step-failed"/g)).toHaveLength(2);
});

test('no log line contains a code, a token, a secret or an address', async () => {
  const code = await world.codeForCognito();
  const { access_token = '', id_token = '' } = bodyOf(await world.redeem(code));
  await world.redeem(code);
  await world.redeem(code, { client_secret: 'nearly-right' });
  world.gitHub.fixedAnswers.set('/user', { status: 500, body: '{}' });
  await world.redeem(await world.codeForCognito());
  expect(world.logged).toContain('invalid_client');
  for (const secret of [code, access_token, id_token, clientSecret, 'nearly-right', 'gho_', 'example.com']) {
    expect(world.logged).not.toContain(secret);
  }
});
