import { beforeEach, describe, expect, test } from 'vitest';
import {
  callback,
  logoutAddress,
  relayCallback,
  relayId,
  siteClient,
} from '../../in-process/hosted-cognito.ts';
import { clientId, type HostedCognito, minutes, poolId, startHostedCognito } from '../fixtures/cognito.ts';

const uuid = expect.stringMatching(/^[\da-f-]{36}$/);

let world: HostedCognito;
beforeEach(async () => {
  world = await startHostedCognito();
  return () => world.stop();
});

const codeOf = async (what = {}): Promise<string> => (await world.arrive(what))['code'] ?? '';

describe('a second sign-in in the same browser', () => {
  test('skips the provider within an hour, and keeps the time of the first sign-in', async () => {
    const first = await world.signIn();
    await world.clock.advance(minutes(59));
    const second = await world.signIn();
    expect(world.provider.visits).toHaveLength(1);
    expect(second.access['auth_time']).toBe(first.access['auth_time']);
    expect(second.access['origin_jti']).not.toBe(first.access['origin_jti']);
    await world.clock.advance(minutes(1));
    await world.signIn();
    expect(world.provider.visits).toHaveLength(2);
  });

  test('does not skip another provider', async () => {
    await world.signIn();
    await world.signIn({ identity_provider: 'GitHub' });
    expect(world.provider.visits).toHaveLength(2);
  });

  test('does not skip the provider after signing out, or in another browser', async () => {
    await world.signIn();
    const at = await world
      .browser()
      .go(world.address('/logout', { client_id: clientId, logout_uri: logoutAddress }));
    expect(at.href).toBe(logoutAddress);
    await world.signIn();
    expect(world.provider.visits).toHaveLength(2);
    world.changeBrowser();
    await world.signIn();
    expect(world.provider.visits).toHaveLength(3);
  });

  test('does not skip the provider for a stolen cookie after the sign-out', async () => {
    await world.signIn();
    const stolen = world.browser().cookies.get('cognito') ?? '';
    await world.browser().go(world.address('/logout', { client_id: clientId, logout_uri: logoutAddress }));
    world.browser().cookies.set('cognito', stolen);
    await world.signIn();
    expect(world.provider.visits).toHaveLength(2);
  });
});

describe('signing out', () => {
  test('can redirect to another sign-in', async () => {
    await world.signIn();
    const again = world.authorizeAddress().replace('/oauth2/authorize', '/logout');
    const at = await world.browser().go(again);
    expect(at.searchParams.get('code')).toEqual(uuid);
    expect(world.provider.visits).toHaveLength(2);
  });

  test.for([
    ['an address that is not registered', { logout_uri: 'https://evil.example/' }, 'redirect_uri'],
    ['no address', {}, 'redirect_uri'],
    ['no client', { client_id: undefined, logout_uri: logoutAddress }, 'client_id'],
    ['an address to sign in at and no more', { redirect_uri: callback }, 'response_type'],
  ] as const)('is refused with %s', async ([, what, missing]) => {
    await world.signIn();
    const at = await world.browser().go(world.address('/logout', { client_id: clientId, ...what }));
    expect(at.origin).toBe(world.origin);
    expect(at.searchParams.get('error')).toBe(`Required String parameter '${missing}' is not present`);
    expect(world.browser().cookies.has('cognito')).toBe(true);
  });
});

test("a token without the account's scope is refused by the account's own operations", async () => {
  const redirect_uri = relayCallback;
  const code = await codeOf({ client_id: relayId, redirect_uri, scope: 'openid email profile' });
  const { body } = await world.exchange(code, { client_id: relayId, redirect_uri });
  expect(await world.call('GetUser', { AccessToken: body.access_token })).toMatchObject({
    error: 'NotAuthorizedException',
    message: 'Access Token does not have required scopes',
  });
  const { tokens } = await world.signIn();
  expect((await world.call('GetUser', { AccessToken: tokens.access_token })).body).toMatchObject({
    Username: 'google_1234',
  });
});

describe('revoking', () => {
  test('ends this session with all its tokens and no other', async () => {
    const [one, other] = [await world.signIn(), await world.signIn()];
    const form = { token: one.tokens.refresh_token, client_id: clientId };
    expect(await world.post('/oauth2/revoke', form)).toMatchObject({ status: 200, body: undefined });
    const errorOf = async (AccessToken: string) => (await world.call('GetUser', { AccessToken })).error;
    expect([await errorOf(one.tokens.access_token), await errorOf(other.tokens.access_token)]).toEqual([
      'NotAuthorizedException',
      undefined,
    ]);
    const refresh = { grant_type: 'refresh_token', client_id: clientId };
    const again = await world.post('/oauth2/token', { ...refresh, refresh_token: one.tokens.refresh_token });
    expect(again.body).toEqual({ error: 'invalid_grant' });
  });

  test.for([
    ['no token', { token: undefined }, 400, 'invalid_request'],
    ['a client that does not exist', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['the token of another client', { client_id: relayId }, 400, 'unauthorized_client'],
  ] as const)('is refused with %s', async ([, what, status, error]) => {
    const { tokens } = await world.signIn();
    const form = { token: tokens.refresh_token, client_id: clientId, ...what };
    expect(await world.post('/oauth2/revoke', form)).toMatchObject({ status, body: { error } });
  });

  test('accepts only refresh tokens, and does not reveal that a token is unknown', async () => {
    const { tokens } = await world.signIn();
    expect(
      await world.post('/oauth2/revoke', { token: tokens.access_token, client_id: clientId }),
    ).toMatchObject({
      status: 400,
      body: { error: 'unsupported_token_type' },
    });
    expect((await world.post('/oauth2/revoke', { token: 'unknown', client_id: clientId })).status).toBe(200);
  });

  test("the API's RevokeToken and GlobalSignOut reach hosted sessions", async () => {
    const [one, other] = [await world.signIn(), await world.signIn()];
    await world.call('RevokeToken', { ClientId: clientId, Token: one.tokens.refresh_token });
    expect((await world.call('GetUser', { AccessToken: one.tokens.access_token })).error).toBe(
      'NotAuthorizedException',
    );
    await world.call('GlobalSignOut', { AccessToken: other.tokens.access_token });
    expect((await world.call('GetUser', { AccessToken: other.tokens.access_token })).message).toBe(
      'Access Token has been revoked',
    );
  });
});

test.for(['/oauth2/token', '/oauth2/revoke'])('a page of any origin may call %s', async (path) => {
  const preflight = await fetch(`${world.origin}${path}`, { method: 'OPTIONS' });
  expect(preflight.status).toBe(200);
  expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
  for (const response of [preflight, await fetch(`${world.origin}${path}`, { method: 'POST' })]) {
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  }
});

test('pages of other origins cannot read the redirects', async () => {
  const response = await world.browser().get(world.authorizeAddress());
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
});

test('refresh tokens, replaced ones too, are deleted at the end of their session', async () => {
  const { tokens } = await world.signIn();
  const kept = () => world.store.collection('cognito/refresh-tokens').list().length;
  const { refresh_token } = tokens;
  await world.post('/oauth2/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token });
  await world.clock.advance(minutes(60 * 24 * 59));
  await world.signIn();
  expect(kept()).toBe(3);
  await world.clock.advance(minutes(60 * 24));
  await world.signIn();
  expect(kept()).toBe(2);
});

describe('unsupported properties are refused at start:', () => {
  const google = {
    ProviderName: 'Google',
    ProviderType: 'Google',
    ProviderDetails: { client_id: 'a', client_secret: 'b', authorize_scopes: 'openid' },
  };

  test.for([
    ['another kind of provider', { ...google, ProviderName: 'Facebook', ProviderType: 'Facebook' }],
    ['Google by another name', { ...google, ProviderName: 'Gogol' }],
    [
      'a provider whose addresses would have to be discovered',
      { ...google, ProviderName: 'X', ProviderType: 'OIDC' },
    ],
    ['a user name by another claim', { ...google, AttributeMapping: { username: 'email' } }],
    ['identifiers', { ...google, IdpIdentifiers: ['g'] }],
  ] as const)('%s', ([, properties]) => {
    expect(() => world.restart().putIdentityProvider(poolId, properties)).toThrow(
      /doesn't support identity provider/,
    );
  });

  test('a custom domain', () => {
    const properties = { Domain: 'auth.selfsame.example', CustomDomainConfig: { CertificateArn: 'arn' } };
    expect(() => world.restart().putUserPoolDomain(poolId, properties)).toThrow(/doesn't support the domain/);
  });

  test.for([
    ['the implicit flow', { AllowedOAuthFlows: ['implicit'] }],
    ['a scope of a resource server', { AllowedOAuthScopes: ['plans/read'] }],
    ['plain http beyond this machine', { CallbackURLs: ['http://site.test/'] }],
    ['an address with a fragment', { LogoutURLs: ['https://site.test/#a'] }],
    ['an address that is relative', { CallbackURLs: ['/dashboard'] }],
    ['a default that is no callback', { DefaultRedirectURI: logoutAddress }],
    ['a flow without a callback', { CallbackURLs: [] }],
    ['a provider that the pool lacks', { SupportedIdentityProviders: ['Facebook'] }],
  ] as const)('%s', ([, what]) => {
    const service = world.restart();
    expect(() => service.putUserPoolClient(poolId, 'odd', { ...siteClient, ...what })).toThrow(/client odd/);
    expect(() =>
      service.putUserPoolClient(poolId, 'good', {
        ...siteClient,
        CallbackURLs: ['http://localhost:3000/dashboard'],
      }),
    ).not.toThrow();
  });
});
