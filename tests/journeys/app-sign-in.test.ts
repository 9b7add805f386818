import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import { product } from '../../schemas/product/product.ts';
import { SiteConfig } from '../../schemas/config/site-config.ts';
import { expect, signInAtProvider, test } from '../fixtures/browser/journey.ts';
import { newUser } from '../fixtures/worlds/hosted-sign-in.ts';
import type { World } from '../fixtures/worlds/world.ts';

const document = readFileSync('.github/apps.md', 'utf8');

const random = () => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
const configOf = async (world: World) => SiteConfig.parse(await world.get('/config.json'));

const startAddress = (parameters: Record<string, string>): string =>
  `/oauth/start?${new URLSearchParams({ provider: 'google', ...parameters }).toString()}`;

/** Posts a form to the API, as an app does. */
async function post(world: World, path: 'token' | 'revoke', form: Record<string, string>) {
  const { relayClientId } = await configOf(world);
  const response = await fetch(`${world.origin}/api/${path}`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: relayClientId, ...form }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

test('the client of apps.md signs a user in, says who it is, and reads the plan', async ({ page, world }) => {
  const [, source = ''] = /```js\n(.*?)```/s.exec(document) ?? [];
  const app = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    env: { SITE: world.origin },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(app, 'exit');
  const errors: string[] = [];
  app.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const lines = createInterface({ input: app.stdout })[Symbol.asyncIterator]();
  const { value: first = errors.join('') } = (await lines.next()) as { value?: string };
  expect(first).toMatch(/^Open http/);

  const person = newUser('Ada Byron');
  await page.goto(first.replace('Open ', ''));
  await signInAtProvider(page, person);
  await expect(page.getByText('You can close this page.')).toBeVisible();
  const rest: string[] = [];
  for await (const line of { [Symbol.asyncIterator]: () => lines }) rest.push(line);
  expect(errors.join('')).toBe('');
  expect(rest[0]).toBe(`Signed in as ${person.name}, ${person.email}`);
  expect(rest.join('\n')).toContain("plan: 'free'");
  expect(await ended).toEqual([0, null]);
});

test('a library for OAuth signs a user in, refreshes, and signs out', async ({ page, world, app }) => {
  const config = await configOf(world);
  const issuer = `${config.userPoolEndpoint}/${config.userPoolId}`;
  const server: oauth.AuthorizationServer = {
    issuer,
    authorization_endpoint: `${world.origin}/oauth/start`,
    token_endpoint: `${world.origin}/api/token`,
    revocation_endpoint: `${world.origin}/api/revoke`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
  };
  const { now } = await world.get<{ now: string }>('/__local/clock');
  const client: oauth.Client = {
    client_id: config.relayClientId,
    // Other journeys have moved the world's clock.
    [oauth.clockSkew]: Math.round((Date.parse(now) - Date.now()) / 1000),
  };
  const options = { [oauth.allowInsecureRequests]: true };
  const [state, nonce, verifier] = [
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
    oauth.generateRandomCodeVerifier(),
  ];

  const person = newUser('Ada Byron');
  await page.goto(
    startAddress({
      client_id: client.client_id,
      response_type: 'code',
      redirect_uri: app.address,
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
  );
  await signInAtProvider(page, person);
  await expect(page.getByRole('heading', { name: 'The app' })).toBeVisible();

  // The app gets a code and its state, and nothing else. No page with a code is in the history.
  const [{ parameters, referer } = { parameters: {}, referer: '' }] = app.received;
  expect(Object.keys(parameters)).toEqual(['code', 'state']);
  expect(referer).toBeUndefined();
  await page.goBack();
  await expect(page).not.toHaveURL(/\/oauth\/|code=/);

  const answer = oauth.validateAuthResponse(server, client, new URLSearchParams(parameters), state);
  const redeem = () =>
    oauth.authorizationCodeGrantRequest(server, client, oauth.None(), answer, app.address, verifier, options);
  const redeemed = await redeem();
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, redeemed, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(server, redeemed, options);
  expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ ...person, email_verified: true });
  expect((await redeem()).status).toBe(400);
  await expectDocumentedClaims(tokens);

  const planWith = async (token: string) =>
    (await fetch(`${world.origin}/api/plan`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await planWith(tokens.access_token)).toBe(200);

  const { refresh_token: first = '' } = tokens;
  const refresh = (token: string) =>
    oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, options);
  const refreshed = await oauth.processRefreshTokenResponse(server, client, await refresh(first));
  expect(await planWith(refreshed.access_token)).toBe(200);
  const { refresh_token: second = '' } = refreshed;
  expect(second).not.toBe(first);

  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, oauth.None(), second, options),
  );
  await expect(
    oauth.processRefreshTokenResponse(server, client, await refresh(second)),
  ).rejects.toMatchObject({ error: 'invalid_grant' });
});

/** The claims that both tokens have are named in the document. */
async function expectDocumentedClaims({ access_token, id_token = '' }: oauth.TokenEndpointResponse) {
  const [section = ''] = (document.split('\n## Who signed in\n')[1] ?? '').split('\n## ');
  for (const [token, place] of [
    [access_token, 'access'],
    [id_token, 'ID token'],
  ] as const) {
    for (const claim of Object.keys(decodeJwt(token))) expect(section).toContain(`\`${claim}\``);
    const documented = [...section.matchAll(/^\| (`.+`)\s+\| (.+?)\s+\|/gm)]
      .filter(([, , where]) => where === 'both' || where === place)
      .flatMap(([, names = '']) => names.replaceAll('`', '').split(', '));
    expect(Object.keys(decodeJwt(token))).toEqual(expect.arrayContaining(documented));
  }
}

test('the desktop app gets a code that its user can type', async ({ page, world, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const redirect_uri = `${world.origin}/hits`;
  const [state, verifier] = [random(), random()];
  await page.goto(
    startAddress({
      redirect_uri,
      state,
      response_type: 'code',
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
    }),
  );
  await signInAtProvider(page, newUser());
  await expect(page.getByRole('heading', { name: 'Authentication Complete' })).toBeVisible();
  const open = page.getByRole('link', { name: `Open ${product.name}` });
  const passedOn = new URL((await open.getAttribute('href')) ?? '');
  const code = passedOn.searchParams.get('code') ?? '';
  expect(passedOn.href.split('?')[0]).toBe(product.desktopCallback);
  expect(Object.fromEntries(passedOn.searchParams)).toEqual({ code, state });
  await expect(page.getByText(`${code.slice(0, 5)}-${code.slice(5)}`)).toBeVisible();
  await page.getByRole('button', { name: 'Copy the code' }).click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(code);

  const grant = { grant_type: 'authorization_code', redirect_uri };
  const typed = `${code.slice(0, 5)} ${code.slice(5)}`.toLowerCase();
  const { status, body } = await post(world, 'token', { ...grant, code: typed, code_verifier: verifier });
  expect(status).toBe(200);
  // It didn't ask who signs in.
  expect(body).not.toHaveProperty('id_token');
  expect(decodeJwt(body['access_token'] ?? '')).toMatchObject({ scope: 'openid' });
});
