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
import { fakeTokenEndpoint, tokens, userPool } from '../../../../fixtures/fakes/fake-token-endpoint.ts';

const APP = 'https://app.example/done?tenant=7';
const CODES_ONLY = 'https://codes.example/done';
const LOCAL = 'http://localhost:4000/in';
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

describe('a sign-in', () => {
  const inQuery = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();

  test.each([
    [
      'tokens and state',
      APP,
      flow.appState,
      `${APP}&${inQuery({ ...tokens, state: String(flow.appState) })}`,
    ],
    ['no state if the app sent none', LOCAL, null, `${LOCAL}?${inQuery(tokens)}`],
  ])('adds to the address %s', async (_, redirectUri, appState, to) => {
    const callback = callbackOf(answer, { ...flow, redirectUri, appState });
    const given = answering({ kind: 'granted', granted: tokens });
    expect(await outcomeOf(callback, REGISTERED, given)).toEqual({ kind: 'success', to });
  });

  test('that failed is reported to the app as oauth_error, with the message', async () => {
    const message = 'Not today.';
    const given = answering({ kind: 'refused', message });
    const error = { error: 'oauth_error', error_description: message, state: String(flow.appState) };
    expect(await outcomeOf(callbackOf(answer, flow), REGISTERED, given)).toEqual({
      kind: 'error',
      message,
      redirect: { kind: 'app', to: `${APP}&${inQuery(error)}` },
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

describe('a callback without a flow', () => {
  const MISSING = 'Missing redirect_uri parameter';
  const NO_SESSION = 'No session found after OAuth callback';
  const toApp = `http://localhost:4000/in?error=oauth_error&error_description=${NO_SESSION.replaceAll(' ', '+')}&state=7`;
  test.each([
    ['', MISSING, { kind: 'login' }],
    ['state=7', MISSING, { kind: 'login' }],
    ['redirect_uri=', MISSING, { kind: 'login' }],
    ['code=a-code&state=7', NO_SESSION, { kind: 'login' }],
    ['error=access_denied&error_description=Call+0800+EVIL', NO_SESSION, { kind: 'login' }],
    ['redirect_uri=http://localhost:4000/in&state=7', NO_SESSION, { kind: 'app', to: toApp }],
    ['redirect_uri=https://evil.example/', 'This redirect address is not registered.', { kind: 'none' }],
  ])('is an error for the sign-in page, the app or nobody: ?%s', async (text, message, redirect) => {
    const outcome = await outcomeOf(callbackOf(query(text), null), REGISTERED, neverCalled);
    expect(outcome).toEqual({ kind: 'error', message, redirect });
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
  const relaySite: RelaySite = {
    config: { ...userPool, relayClientId: 'relay-client' },
    site: 'https://selfsame.example',
    shortCode: () => Promise.reject(new Error('A code was asked for.')),
  };
  /** The relay's result for an answer of Cognito, with the requests of its token endpoint. */
  const complete = async (asked: URLSearchParams, given?: Parameters<typeof fakeTokenEndpoint>[1]) => {
    const client = { clientId: 'relay-client', nonce: flow.nonce };
    const { requests, fetch } = await fakeTokenEndpoint(client, given);
    return { result: await completeFlow(asked, flow, { ...relaySite, fetch }), requests };
  };

  test.each(providerKeys)('redirects to %s with a new state, nonce and challenge', async (provider) => {
    const what = { provider, redirectUri: APP, appState: 'x' } as const;
    const begin = async () => {
      const { flow: begun, address: to } = await beginFlow(what, relaySite);
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
    const { result, requests } = await complete(answer);
    expect(result).toEqual({ kind: 'granted', granted: tokens });
    const [request] = requests;
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
    const { result, requests } = await complete(query('code=a-code&state=another-flow'));
    expect(result).toMatchObject({ kind: 'refused' });
    expect(requests).toEqual([]);
  });

  const FOREIGN = 'This answer belongs to another sign-in. Please try again.';
  const MISSING = 'Missing tokens in session';
  const UNFINISHED = 'The sign-in could not be finished. Please check your connection and try again.';
  test.each([
    ['another sign-in', { claims: { nonce: 'another' } }, FOREIGN],
    ['no refresh token', { body: { refresh_token: null } }, MISSING],
    ['an empty one', { body: { refresh_token: '' } }, MISSING],
    ['no access token', { body: { access_token: null } }, MISSING],
    ['an error, as for a used code', { status: 400, body: { error: 'invalid_grant' } }, UNFINISHED],
  ])('refuses tokens of %s, in our words', async (_, given, message) => {
    expect((await complete(answer, given)).result).toEqual({ kind: 'refused', message });
  });

  test('says so if Cognito can’t be reached', async () => {
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    const result = await completeFlow(answer, flow, { ...relaySite, fetch });
    expect(result).toEqual({ kind: 'refused', message: UNFINISHED });
  });

  test('shows the sentence of a refused sign-up out of Cognito’s message', async () => {
    const message = triggerRefusals.unknownProvider;
    const refused = new URLSearchParams({
      error: 'invalid_request',
      error_description: `PreSignUp failed with error ${message}.`,
      state: flow.state,
    });
    expect((await complete(refused)).result).toEqual({ kind: 'refused', message });
  });
});
