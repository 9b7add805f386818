import { eitherOf } from '../../../../../schemas/either-of.ts';
import { providerKeys, providers } from '../../../../../schemas/product/providers.ts';
import { triggerRefusals } from '../../../../../schemas/trigger-refusals.ts';
import { describe, expect, test } from 'vitest';
import { callbackPath } from '../../../../../web/src/relay/app-request.ts';
import { callbackOf, outcomeOf } from '../../../../../web/src/relay/callback.ts';
import {
  beginFlow,
  completeFlow,
  type RelaySite,
  type SignInResult,
} from '../../../../../web/src/relay/relay-client.ts';
import { startRequestOf } from '../../../../../web/src/relay/start-request.ts';
import {
  type RelayFlow,
  type RelayTokenFlow,
  storeFlow,
  takeFlow,
} from '../../../../../web/src/relay/stored-flow.ts';
import { fakeTokenEndpoint } from '../../../../fixtures/fakes/fake-token-endpoint.ts';

const APP = 'https://app.example/done?tenant=7';
const CODES_ONLY = 'https://codes.example/done';
const LEGACY = [APP, 'http://localhost/in', 'http://localhost/'];
const REGISTERED = { relayAddresses: [...LEGACY, CODES_ONLY], legacyAddresses: LEGACY };

const flow: RelayTokenFlow = {
  provider: 'google',
  redirectUri: APP,
  appState: 'the app’s own & <text>',
  state: 'state-of-this-flow',
  nonce: 'nonce-of-this-flow',
  verifier: 'verifier-of-this-flow-with-as-many-characters-as-it-takes',
  again: false,
};
const tokens = { access_token: 'an.access.token', refresh_token: 'a refresh+token' };

const query = (text: string) => new URLSearchParams(text);
const answer = query(`code=a-code&state=${flow.state}`);

/** A tab's session storage, with the methods that the flow uses. */
function storage(entries: Record<string, string> = {}) {
  const items = new Map(Object.entries(entries));
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

const neverCalled = {
  complete: (): Promise<SignInResult> => Promise.reject(new Error('The provider was asked.')),
  retry: () => Promise.reject(new Error('The sign-in began again.')),
};
const answering = (given: SignInResult) => ({
  complete: () => Promise.resolve(given),
  retry: ({ provider }: { provider: string }) => Promise.resolve(`https://sign-in.example/again?${provider}`),
});

describe('the flow of a tab', () => {
  const { verifier: _, nonce, ...toCode } = flow;
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
  const stored: RelayFlow[] = [flow, { ...toCode, codeRequest: { challenge, scope: 'openid', nonce } }];
  test.each(stored.map((each) => [each] as const))('is read once: %j', (each) => {
    const tab = storage();
    storeFlow(tab, each);
    expect(takeFlow(tab)).toEqual(each);
    expect(tab.items.size).toBe(0);
    expect(takeFlow(tab)).toBeNull();
  });

  test.each(['', 'null', '{', '[]', '{"state":"x"}', JSON.stringify({ ...flow, provider: 'evil' })])(
    'is none if the stored value is invalid, and the value is removed: %s',
    (text) => {
      const tab = storage({ 'relay.flow': text });
      expect(takeFlow(tab)).toBeNull();
      expect(tab.items.size).toBe(0);
    },
  );
});

describe('a successful sign-in', () => {
  test('adds tokens and state to the query of the address', async () => {
    const outcome = await outcomeOf(
      callbackOf(answer, flow),
      REGISTERED,
      answering({ kind: 'granted', granted: tokens }),
    );
    if (outcome.kind !== 'success') throw new Error(`The outcome is ${outcome.kind}.`);
    expect(outcome.to).toMatch(/^https:\/\/app\.example\/done\?tenant=7&access_token=/);
    expect(Object.fromEntries(new URL(outcome.to).searchParams)).toEqual({
      tenant: '7',
      ...tokens,
      state: flow.appState,
    });
  });

  test('adds no state if the app sent none', async () => {
    const outcome = await outcomeOf(
      callbackOf(answer, { ...flow, redirectUri: 'http://localhost:4000/in', appState: null }),
      REGISTERED,
      answering({ kind: 'granted', granted: tokens }),
    );
    expect(outcome).toEqual({
      kind: 'success',
      to: 'http://localhost:4000/in?access_token=an.access.token&refresh_token=a+refresh%2Btoken',
    });
  });

  test.each([
    [
      'is no longer registered',
      APP,
      { relayAddresses: ['http://localhost'], legacyAddresses: ['http://localhost'] },
    ],
    ['is registered for codes alone', CODES_ONLY, REGISTERED],
  ])('is not completed for an address that %s', async (_, redirectUri, registered) => {
    expect(await outcomeOf(callbackOf(answer, { ...flow, redirectUri }), registered, neverCalled)).toEqual({
      kind: 'error',
      message: 'This redirect address is not registered.',
      redirect: { kind: 'none' },
    });
  });
});

describe('a failed sign-in', () => {
  test('is reported to the app as oauth_error, with the message', async () => {
    const outcome = await outcomeOf(
      callbackOf(answer, flow),
      REGISTERED,
      answering({ kind: 'refused', message: 'Not today.' }),
    );
    if (outcome.kind !== 'error' || outcome.redirect.kind !== 'app')
      throw new Error('It is not reported to the app.');
    expect(outcome.message).toBe('Not today.');
    expect(Object.fromEntries(new URL(outcome.redirect.to).searchParams)).toEqual({
      tenant: '7',
      error: 'oauth_error',
      error_description: 'Not today.',
      state: flow.appState,
    });
  });
});

describe('a callback without a flow', () => {
  test.each([
    ['', 'Missing redirect_uri parameter'],
    ['state=7', 'Missing redirect_uri parameter'],
    ['redirect_uri=', 'Missing redirect_uri parameter'],
    ['code=a-code&state=7', 'No session found after OAuth callback'],
    ['error=access_denied&error_description=Call+0800+EVIL', 'No session found after OAuth callback'],
  ])('and without an address leads to the sign-in page: ?%s', async (text, message) => {
    expect(await outcomeOf(callbackOf(query(text), null), REGISTERED, neverCalled)).toEqual({
      kind: 'error',
      message,
      redirect: { kind: 'login' },
    });
  });

  test('with a registered address is reported there', async () => {
    const callback = callbackOf(query('redirect_uri=http://localhost:4000/in&state=7'), null);
    expect(await outcomeOf(callback, REGISTERED, neverCalled)).toEqual({
      kind: 'error',
      message: 'No session found after OAuth callback',
      redirect: {
        kind: 'app',
        to: 'http://localhost:4000/in?error=oauth_error&error_description=No+session+found+after+OAuth+callback&state=7',
      },
    });
  });

  test('ignores a code beside an app’s address', async () => {
    const callback = callbackOf(
      query(`redirect_uri=http://localhost:4000/&code=x&state=${flow.state}`),
      flow,
    );
    expect(await outcomeOf(callback, REGISTERED, neverCalled)).toMatchObject({
      message: 'No session found after OAuth callback',
    });
  });

  test('redirects to no address that isn’t registered', async () => {
    const callback = callbackOf(query('redirect_uri=https://evil.example/'), null);
    expect(await outcomeOf(callback, REGISTERED, neverCalled)).toEqual({
      kind: 'error',
      message: 'This redirect address is not registered.',
      redirect: { kind: 'none' },
    });
  });

  test.each([
    'redirect_uri=http://localhost:4000/&redirect_uri=https://evil.example/',
    'redirect_uri=http://localhost:4000/&state=1&state=2',
    'redirect_uri=http://localhost:4000/&redirect_uri=http://localhost:4000/',
    `code=a&code=b&state=${flow.state}`,
  ])('redirects nowhere if a parameter is repeated: ?%s', async (text) => {
    const outcome = await outcomeOf(callbackOf(query(text), flow), REGISTERED, neverCalled);
    expect(outcome).toMatchObject({ kind: 'error', redirect: { kind: 'none' } });
  });
});

test('the address bar keeps the app’s request and nothing of the answer', () => {
  expect(callbackPath(callbackOf(answer, { ...flow, appState: 'a&b' }).request)).toBe(
    '/oauth/callback?redirect_uri=https%3A%2F%2Fapp.example%2Fdone%3Ftenant%3D7&state=a%26b',
  );
  expect(callbackPath(callbackOf(answer, null).request)).toBe('/oauth/callback');
});

const UNKNOWN_PROVIDER = `Unknown provider. It is ${eitherOf(providerKeys)}.`;

describe('an app’s request', () => {
  test.each(providerKeys)('may name %s', (provider) => {
    expect(
      startRequestOf(query(`provider=${provider}&redirect_uri=http://localhost:9/&state=s`), REGISTERED),
    ).toEqual({
      kind: 'begin',
      signIn: { provider, redirectUri: 'http://localhost:9/', appState: 's' },
    });
  });

  test.each([
    ['provider=google', 'Missing redirect_uri parameter', 'login'],
    ['redirect_uri=http://localhost:9/', UNKNOWN_PROVIDER, 'app'],
    ['provider=Google&redirect_uri=http://localhost:9/', UNKNOWN_PROVIDER, 'app'],
    ['provider=toString&redirect_uri=http://localhost:9/', UNKNOWN_PROVIDER, 'app'],
    [
      'provider=google&redirect_uri=https://evil.example/',
      'This redirect address is not registered.',
      'none',
    ],
    ['provider=evil&redirect_uri=javascript:alert(1)', 'This redirect address is not registered.', 'none'],
    [
      'provider=google&provider=github&redirect_uri=http://localhost:9/',
      'The parameter provider is given more than once.',
      'none',
    ],
  ])('is refused if it is faulty: ?%s', (text, message, redirect) => {
    expect(startRequestOf(query(text), REGISTERED)).toMatchObject({
      kind: 'refused',
      outcome: { kind: 'error', message, redirect: { kind: redirect } },
    });
  });

  test('is refused if the stage does not have its provider', () => {
    const asked = query('provider=github&redirect_uri=http://localhost:9/&state=s');
    expect(startRequestOf(asked, REGISTERED, ['google'])).toMatchObject({
      kind: 'refused',
      outcome: { message: 'Unknown provider. It is google.' },
    });
  });
});

describe('the relay’s own client', () => {
  const config: RelaySite['config'] = {
    signInOrigin: 'https://sign-in.example',
    userPoolEndpoint: 'https://cognito-idp.us-east-1.amazonaws.com',
    userPoolId: 'us-east-1_pool',
    relayClientId: 'relay-client',
  };
  const site = 'https://selfsame.example';
  const shortCode: RelaySite['shortCode'] = () => Promise.reject(new Error('A code was asked for.'));

  const issuer = `${config.userPoolEndpoint}/${config.userPoolId}`;

  /** The site, with a token endpoint that gives this answer. */
  async function siteWith(
    given?: Parameters<typeof fakeTokenEndpoint>[2],
  ): Promise<RelaySite & { requests: Request[] }> {
    const client = { issuer, clientId: config.relayClientId, nonce: flow.nonce };
    const { requests, fetch } = await fakeTokenEndpoint(client, tokens, given);
    return { config, site, shortCode, requests, fetch };
  }

  test.each(providerKeys)('redirects to %s with a new state, nonce and challenge', async (provider) => {
    const what = { provider, redirectUri: APP, appState: 'x' } as const;
    const begin = async () => {
      const { flow: begun, address: to } = await beginFlow(what, { config, site, shortCode });
      return { address: to, flow: begun as RelayTokenFlow };
    };
    const first = await begin();
    const second = await begin();
    const address = new URL(first.address);
    expect(address.origin + address.pathname).toBe('https://sign-in.example/oauth2/authorize');
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: 'relay-client',
      redirect_uri: 'https://selfsame.example/oauth/callback',
      response_type: 'code',
      scope: 'openid email profile',
      identity_provider: providers[provider].poolName,
      state: first.flow.state,
      nonce: first.flow.nonce,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
    });
    expect(first.address).not.toContain(first.flow.verifier);
    expect(first.flow).toMatchObject({ ...what, again: false });
    for (const own of ['state', 'nonce', 'verifier'] as const)
      expect(first.flow[own]).not.toBe(second.flow[own]);
  });

  test('exchanges a code and the verifier for tokens', async () => {
    const relaySite = await siteWith();
    expect(await completeFlow(answer, flow, relaySite)).toEqual({ kind: 'granted', granted: tokens });
    const [request] = relaySite.requests;
    expect(request?.url).toBe('https://sign-in.example/oauth2/token');
    expect(Object.fromEntries(new URLSearchParams(await request?.text()))).toEqual({
      grant_type: 'authorization_code',
      client_id: 'relay-client',
      code: 'a-code',
      redirect_uri: 'https://selfsame.example/oauth/callback',
      code_verifier: flow.verifier,
    });
  });

  // The site's own sign-in has the tables of what is refused: both use the same code flow.
  test('exchanges no code whose state isn’t its own', async () => {
    const relaySite = await siteWith();
    const foreign = query('code=a-code&state=another-flow');
    expect(await completeFlow(foreign, flow, relaySite)).toMatchObject({ kind: 'refused' });
    expect(relaySite.requests).toEqual([]);
  });

  test('refuses tokens that belong to another sign-in', async () => {
    const relaySite = await siteWith({ claims: { nonce: 'another' } });
    expect(await completeFlow(answer, flow, relaySite)).toMatchObject({ kind: 'refused' });
  });

  test.each([{ refresh_token: null }, { access_token: null }, { refresh_token: '' }])(
    'reports a missing token: %j',
    async (body) => {
      expect(await completeFlow(answer, flow, await siteWith({ body }))).toEqual({
        kind: 'refused',
        message: 'Missing tokens in session',
      });
    },
  );

  test('reports a used code, and that Cognito can’t be reached, in our words', async () => {
    const used = await siteWith({ status: 400, body: { error: 'invalid_grant' } });
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    for (const relaySite of [used, { config, site, shortCode, fetch }]) {
      expect(await completeFlow(answer, flow, relaySite)).toEqual({
        kind: 'refused',
        message: 'The sign-in could not be finished. Please check your connection and try again.',
      });
    }
  });

  test('shows the sentence of a refused sign-up out of Cognito’s message', async () => {
    const message = triggerRefusals.unknownProvider;
    const refused = new URLSearchParams({
      error: 'invalid_request',
      error_description: `PreSignUp failed with error ${message}.`,
      state: flow.state,
    });
    expect(await completeFlow(refused, flow, await siteWith())).toEqual({ kind: 'refused', message });
  });
});
