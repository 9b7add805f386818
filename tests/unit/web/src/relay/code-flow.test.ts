import { beforeEach, describe, expect, test } from 'vitest';
import { providerKeys, providers } from '../../../../../schemas/product/providers.ts';
import { callbackOf, outcomeOf } from '../../../../../web/src/relay/callback.ts';
import { beginFlow, completeFlow, type RelaySite } from '../../../../../web/src/relay/relay-client.ts';
import { startRequestOf } from '../../../../../web/src/relay/start-request.ts';
import { userPool } from '../../../../fixtures/fakes/fake-token-endpoint.ts';
import type { RelayCodeFlow } from '../../../../../web/src/relay/stored-flow.ts';

const CODES_ONLY = 'https://app.example/done';
const LEGACY = 'http://localhost/callback';
const REGISTERED = { relayAddresses: [CODES_ONLY, LEGACY], legacyAddresses: [LEGACY] };
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const request = {
  provider: 'google',
  redirect_uri: CODES_ONLY,
  state: 's',
  response_type: 'code',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
};
const startWith = (given: Record<string, string | undefined>) =>
  startRequestOf(
    new URLSearchParams(
      Object.entries({ ...request, ...given }).filter(
        (parameter): parameter is [string, string] => parameter[1] !== undefined,
      ),
    ),
    REGISTERED,
  );

describe('an app’s request for a code', () => {
  test.each([
    [{}, { scope: 'openid', nonce: null }],
    [{ scope: 'openid' }, { scope: 'openid', nonce: null }],
    [
      { scope: 'openid email profile', nonce: 'n' },
      { scope: 'openid email profile', nonce: 'n' },
    ],
    [{ scope: 'profile openid email' }, { scope: 'openid email profile', nonce: null }],
    // A client of OAuth sends more than we read.
    [
      { client_id: 'relay-client', prompt: 'login' },
      { scope: 'openid', nonce: null },
    ],
  ])('is accepted with %j', (given, expected) => {
    expect(startWith(given)).toEqual({
      kind: 'begin',
      signIn: {
        provider: 'google',
        redirectUri: CODES_ONLY,
        appState: 's',
        codeRequest: { challenge: CHALLENGE, ...expected },
      },
    });
  });

  test.each([
    { code_challenge: undefined },
    { code_challenge: '' },
    { code_challenge: CHALLENGE.slice(1) },
    { code_challenge: `${CHALLENGE}=` },
    { code_challenge: CHALLENGE.replace('-', '+') },
    { code_challenge_method: undefined },
    { code_challenge_method: 'plain' },
    { code_challenge_method: 's256' },
    { response_type: undefined },
    { response_type: 'token' },
    { response_type: 'code token' },
    { scope: 'email' },
    { scope: 'openid email' },
    { scope: 'openid aws.cognito.signin.user.admin' },
    { scope: '' },
  ])('is refused on the page, and leads to no tokens where those are allowed: %j', (given) => {
    for (const redirect_uri of [CODES_ONLY, LEGACY]) {
      expect(startWith({ ...given, redirect_uri })).toMatchObject({
        kind: 'refused',
        outcome: {
          message: expect.stringContaining('The app has to ask for a code') as string,
          redirect: { kind: 'none' },
        },
      });
    }
  });

  test.each(['code_challenge', 'response_type', 'nonce', 'scope'])('is refused with %s twice', (name) => {
    const query = new URLSearchParams({ ...request, scope: 'openid', nonce: 'n' });
    query.append(name, query.get(name) ?? '');
    expect(startRequestOf(query, REGISTERED)).toMatchObject({
      outcome: { message: `The parameter ${name} is given more than once.`, redirect: { kind: 'none' } },
    });
  });
});

test('a request without a code is for addresses alone that may get tokens', () => {
  const none = { response_type: undefined, code_challenge: undefined, code_challenge_method: undefined };
  expect(startWith({ ...none, redirect_uri: LEGACY })).toEqual({
    kind: 'begin',
    signIn: { provider: 'google', redirectUri: LEGACY, appState: 's' },
  });
  expect(startWith(none)).toMatchObject({
    kind: 'refused',
    outcome: {
      message: expect.stringContaining('The app has to ask for a code') as string,
      redirect: { kind: 'none' },
    },
  });
});

describe('a sign-in for a code', () => {
  const flow: RelayCodeFlow = {
    provider: 'google',
    redirectUri: CODES_ONLY,
    appState: 'the app’s own',
    again: false,
    state: 'state-of-this-flow',
    codeRequest: { challenge: CHALLENGE, scope: 'openid', nonce: null },
  };
  const answer = (text = `code=cognitos&state=${flow.state}`) => new URLSearchParams(text);

  /** The codes of Cognito that were passed on, each with the app's address and challenge. */
  let passedOn: unknown[][];
  beforeEach(() => {
    passedOn = [];
  });
  const site: RelaySite = {
    config: { ...userPool, relayClientId: 'relay-client' },
    site: 'https://selfsame.example',
    shortCode: async (...given) => {
      passedOn.push(given);
      return { ok: true, value: { code: '0123456789' } };
    },
    fetch: () => Promise.reject(new Error('The page asked for tokens.')),
  };
  const finish = (query: URLSearchParams, kept = flow) =>
    outcomeOf(callbackOf(query, kept), REGISTERED, {
      complete: (given, found) => completeFlow(given, found, site),
      retry: ({ provider }) => Promise.resolve(`https://sign-in.example/again?${provider}`),
    });

  test.each(providerKeys)(
    'begins at %s with the app’s challenge and scope, and leaves no secret in the tab',
    async (provider) => {
      const { appState, redirectUri } = flow;
      const codeRequest = { ...flow.codeRequest, nonce: 'the app’s nonce' };
      const begun = await beginFlow({ provider, redirectUri, appState, codeRequest }, site);
      const { state } = begun.flow;
      expect(begun.flow).toEqual({ provider, redirectUri, appState, again: false, state, codeRequest });
      expect(state).not.toBe(flow.state);
      const address = new URL(begun.address);
      expect(address.origin + address.pathname).toBe('https://sign-in.example/oauth2/authorize');
      expect(Object.fromEntries(address.searchParams)).toEqual({
        client_id: 'relay-client',
        redirect_uri: 'https://selfsame.example/oauth/callback',
        response_type: 'code',
        scope: 'openid',
        identity_provider: providers[provider].poolName,
        state,
        nonce: 'the app’s nonce',
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
      });
      expect((await beginFlow(flow, site)).address).not.toContain('nonce');
    },
  );

  test('ends with a short code at the app’s address, which gets nothing else', async () => {
    const outcome = await finish(answer());
    expect(passedOn).toEqual([['cognitos', { redirectUri: CODES_ONLY, challenge: CHALLENGE }]]);
    expect(outcome).toEqual({
      kind: 'success',
      to: `${CODES_ONLY}?code=0123456789&state=the+app%E2%80%99s+own`,
    });
  });

  test.each([
    'code=cognitos&state=another-flow',
    'code=cognitos',
    `code=&state=${flow.state}`,
    `state=${flow.state}&code=cognitos&response=an.id.token`,
  ])('passes on no code of an answer that isn’t its own: ?%s', async (text) => {
    expect(await finish(answer(text))).toMatchObject({ kind: 'error' });
    expect(passedOn).toEqual([]);
  });

  test('reports to the app that no short code was to be had', async () => {
    const failing: RelaySite = { ...site, shortCode: async () => ({ ok: false, sentence: 'Not now.' }) };
    expect(await completeFlow(answer(), flow, failing)).toEqual({ kind: 'refused', message: 'Not now.' });
  });

  test('reports a sign-in that was cancelled, and repeats one that linked two accounts', async () => {
    expect(await finish(answer(`error=access_denied&state=${flow.state}`))).toMatchObject({
      message: 'The sign-in was canceled.',
      redirect: { kind: 'app' },
    });
    const linked = `error=invalid_request&error_description=Already+found+an+entry+for+username+google_1&state=${flow.state}`;
    expect(await finish(answer(linked))).toEqual({
      kind: 'provider',
      to: 'https://sign-in.example/again?google',
      linked: 'google',
    });
    expect(await finish(answer(linked), { ...flow, again: true })).toMatchObject({ kind: 'error' });
  });
});
