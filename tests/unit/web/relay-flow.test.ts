import { generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { arrivalOf, outcomeOf } from '../../../web/src/relay/arrival.ts';
import { departureOf } from '../../../web/src/relay/departure.ts';
import { type Flow, keepFlow, takeFlow } from '../../../web/src/relay/flow.ts';
import { type Answer, answerTo, beginning, type SignInAt } from '../../../web/src/relay/provider-sign-in.ts';
import { callbackPath } from '../../../web/src/relay/request.ts';

const APP = 'https://app.example/done?tenant=7';
const REGISTERED = [APP, 'http://localhost/in', 'http://localhost/'];

const flow: Flow = {
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

/** A tab's storage, and no more of it than the flow asks for. */
function storage(entries: Record<string, string> = {}) {
  const kept = new Map(Object.entries(entries));
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

const notAsked = {
  answerTo: (): Promise<Answer> => Promise.reject(new Error('The provider was asked.')),
  again: () => Promise.reject(new Error('The sign-in began again.')),
};
const answering = (given: Answer) => ({
  answerTo: () => Promise.resolve(given),
  again: ({ provider }: Flow) => Promise.resolve(`https://sign-in.example/again?${provider}`),
});

describe('the flow of a tab', () => {
  test('is found once', () => {
    const tab = storage();
    keepFlow(tab, flow);
    expect(takeFlow(tab)).toEqual(flow);
    expect(tab.kept.size).toBe(0);
    expect(takeFlow(tab)).toBeNull();
  });

  test.each(['', 'null', '{', '[]', '{"state":"x"}', JSON.stringify({ ...flow, provider: 'evil' })])(
    'is none where something else stands in its place, which goes too: %s',
    (text) => {
      const tab = storage({ 'relay.flow': text });
      expect(takeFlow(tab)).toBeNull();
      expect(tab.kept.size).toBe(0);
    },
  );
});

describe('a success', () => {
  test('goes back with tokens and state behind the query that the address has', async () => {
    const outcome = await outcomeOf(
      arrivalOf(answer, flow),
      REGISTERED,
      answering({ kind: 'tokens', tokens }),
    );
    if (outcome.kind !== 'success') throw new Error(`It came to ${outcome.kind}.`);
    expect(outcome.to).toMatch(/^https:\/\/app\.example\/done\?tenant=7&access_token=/);
    expect(Object.fromEntries(new URL(outcome.to).searchParams)).toEqual({
      tenant: '7',
      ...tokens,
      state: flow.appState,
    });
  });

  test('carries no state where the app gave none', async () => {
    const outcome = await outcomeOf(
      arrivalOf(answer, { ...flow, redirectUri: 'http://localhost:4000/in', appState: null }),
      REGISTERED,
      answering({ kind: 'tokens', tokens }),
    );
    expect(outcome).toEqual({
      kind: 'success',
      to: 'http://localhost:4000/in?access_token=an.access.token&refresh_token=a+refresh%2Btoken',
    });
  });

  test('of an address that is registered no more is not even asked for', async () => {
    expect(await outcomeOf(arrivalOf(answer, flow), ['http://localhost'], notAsked)).toEqual({
      kind: 'error',
      message: 'This redirect address is not registered.',
      wayOut: { kind: 'stay' },
    });
  });
});

describe('a failure', () => {
  test('goes back in the words of the specification', async () => {
    const outcome = await outcomeOf(
      arrivalOf(answer, flow),
      REGISTERED,
      answering({ kind: 'refused', message: 'Not today.' }),
    );
    if (outcome.kind !== 'error' || outcome.wayOut.kind !== 'back') throw new Error('It goes elsewhere.');
    expect(outcome.message).toBe('Not today.');
    expect(Object.fromEntries(new URL(outcome.wayOut.to).searchParams)).toEqual({
      tenant: '7',
      error: 'oauth_error',
      error_description: 'Not today.',
      state: flow.appState,
    });
  });

  test('that the second try mends begins the same sign-in again', async () => {
    expect(await outcomeOf(arrivalOf(answer, flow), REGISTERED, answering({ kind: 'again' }))).toEqual({
      kind: 'onward',
      to: 'https://sign-in.example/again?google',
    });
  });
});

describe('whoever comes without a flow', () => {
  test.each([
    ['', 'Missing redirect_uri parameter'],
    ['state=7', 'Missing redirect_uri parameter'],
    ['redirect_uri=', 'Missing redirect_uri parameter'],
    ['code=a-code&state=7', 'No session found after OAuth callback'],
    ['error=access_denied&error_description=Call+0800+EVIL', 'No session found after OAuth callback'],
  ])('and without an address is sent to sign in: ?%s', async (text, message) => {
    expect(await outcomeOf(arrivalOf(query(text), null), REGISTERED, notAsked)).toEqual({
      kind: 'error',
      message,
      wayOut: { kind: 'login' },
    });
  });

  test('but with a registered address goes back there with the error', async () => {
    const arrival = arrivalOf(query('redirect_uri=http://localhost:4000/in&state=7'), null);
    expect(await outcomeOf(arrival, REGISTERED, notAsked)).toEqual({
      kind: 'error',
      message: 'No session found after OAuth callback',
      wayOut: {
        kind: 'back',
        to: 'http://localhost:4000/in?error=oauth_error&error_description=No+session+found+after+OAuth+callback&state=7',
      },
    });
  });

  test('is believed no answer beside an address of their own', async () => {
    const arrival = arrivalOf(query(`redirect_uri=http://localhost:4000/&code=x&state=${flow.state}`), flow);
    expect(await outcomeOf(arrival, REGISTERED, notAsked)).toMatchObject({
      message: 'No session found after OAuth callback',
    });
  });

  test.each([
    'https://evil.example/',
    'javascript:alert(1)',
    'https://app.example/done',
    'https://app.example/done?tenant=7%0a',
    'http://localhost@evil.example/',
  ])('goes nowhere with an address that isn’t registered: %s', async (address) => {
    const arrival = arrivalOf(new URLSearchParams({ redirect_uri: address }), null);
    expect(await outcomeOf(arrival, REGISTERED, notAsked)).toEqual({
      kind: 'error',
      message: 'This redirect address is not registered.',
      wayOut: { kind: 'stay' },
    });
  });

  test.each([
    'redirect_uri=http://localhost:4000/&redirect_uri=https://evil.example/',
    'redirect_uri=http://localhost:4000/&state=1&state=2',
    'redirect_uri=http://localhost:4000/&redirect_uri=http://localhost:4000/',
    `code=a&code=b&state=${flow.state}`,
  ])('goes nowhere with a parameter that is given twice: ?%s', async (text) => {
    const outcome = await outcomeOf(arrivalOf(query(text), flow), REGISTERED, notAsked);
    expect(outcome).toMatchObject({ kind: 'error', wayOut: { kind: 'stay' } });
  });
});

test('what is left in the address bar is the app’s request and nothing of the answer', () => {
  expect(callbackPath(arrivalOf(answer, { ...flow, appState: 'a&b' }).request)).toBe(
    '/oauth/callback?redirect_uri=https%3A%2F%2Fapp.example%2Fdone%3Ftenant%3D7&state=a%26b',
  );
  expect(callbackPath(arrivalOf(answer, null).request)).toBe('/oauth/callback');
});

describe('how an app begins', () => {
  test.each(['google', 'github'])('with %s', (provider) => {
    expect(
      departureOf(query(`provider=${provider}&redirect_uri=http://localhost:9/&state=s`), REGISTERED),
    ).toEqual({
      kind: 'begin',
      beginning: { provider, redirectUri: 'http://localhost:9/', appState: 's' },
    });
  });

  test.each([
    ['provider=google', 'Missing redirect_uri parameter', 'login'],
    ['redirect_uri=http://localhost:9/', 'Unknown provider. It is google or github.', 'back'],
    ['provider=Google&redirect_uri=http://localhost:9/', 'Unknown provider. It is google or github.', 'back'],
    [
      'provider=toString&redirect_uri=http://localhost:9/',
      'Unknown provider. It is google or github.',
      'back',
    ],
    [
      'provider=google&redirect_uri=https://evil.example/',
      'This redirect address is not registered.',
      'stay',
    ],
    ['provider=evil&redirect_uri=javascript:alert(1)', 'This redirect address is not registered.', 'stay'],
    [
      'provider=google&provider=github&redirect_uri=http://localhost:9/',
      'The parameter provider is given more than once.',
      'stay',
    ],
  ])('is refused: ?%s', (text, message, way) => {
    expect(departureOf(query(text), REGISTERED)).toMatchObject({
      kind: 'refused',
      outcome: { kind: 'error', message, wayOut: { kind: way } },
    });
  });
});

describe('the relay’s own client', () => {
  const config: SignInAt['config'] = {
    signInOrigin: 'https://sign-in.example',
    userPoolEndpoint: 'https://cognito-idp.us-east-1.amazonaws.com',
    userPoolId: 'us-east-1_pool',
    relayClientId: 'relay-client',
  };
  const site = 'https://selfsame.example';

  /** Cognito's token endpoint, answering once with what it is given. */
  async function cognito(
    given: { body?: Record<string, unknown>; status?: number; claims?: Record<string, unknown> } = {},
  ): Promise<SignInAt & { asked: Request[] }> {
    const asked: Request[] = [];
    const { privateKey } = await generateKeyPair('RS256');
    const idToken = await new SignJWT({
      iss: `${config.userPoolEndpoint}/${config.userPoolId}`,
      aud: config.relayClientId,
      nonce: flow.nonce,
      ...given.claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'key' })
      .setSubject('somebody')
      .setIssuedAt()
      .setExpirationTime('15m')
      .sign(privateKey);
    const body = { ...tokens, id_token: idToken, token_type: 'Bearer', expires_in: 900, ...given.body };
    return {
      config,
      site,
      asked,
      fetch: (address, init) => {
        asked.push(new Request(address, init));
        return Promise.resolve(Response.json(body, { status: given.status ?? 200 }));
      },
    };
  }

  test('sends people to the provider with a state, a nonce and a challenge of this flow alone', async () => {
    const what = { provider: 'github', redirectUri: APP, appState: 'x' } as const;
    const first = await beginning(what, { config, site });
    const second = await beginning(what, { config, site });
    const address = new URL(first.address);
    expect(address.origin + address.pathname).toBe('https://sign-in.example/oauth2/authorize');
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: 'relay-client',
      redirect_uri: 'https://selfsame.example/oauth/callback',
      response_type: 'code',
      scope: 'openid email profile',
      identity_provider: 'GitHub',
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

  test('turns a code into tokens, and shows the verifier for it', async () => {
    const at = await cognito();
    expect(await answerTo(answer, flow, at)).toEqual({ kind: 'tokens', tokens });
    const [request] = at.asked;
    expect(request?.url).toBe('https://sign-in.example/oauth2/token');
    expect(Object.fromEntries(new URLSearchParams(await request?.text()))).toEqual({
      grant_type: 'authorization_code',
      client_id: 'relay-client',
      code: 'a-code',
      redirect_uri: 'https://selfsame.example/oauth/callback',
      code_verifier: flow.verifier,
    });
  });

  test.each(['another-flow', ''])('brings no code of a state that isn’t its own: %j', async (state) => {
    const at = await cognito();
    expect(await answerTo(query(`code=a-code&state=${state}`), flow, at)).toMatchObject({ kind: 'refused' });
    expect(at.asked).toEqual([]);
  });

  test('believes no error of another flow either', async () => {
    const foreign = query('error=access_denied&error_description=Call+0800+EVIL&state=another');
    expect(await answerTo(foreign, flow, await cognito())).not.toMatchObject({
      message: expect.stringContaining('EVIL') as string,
    });
  });

  test.each([
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['another client', { aud: 'site-client' }],
    ['another pool', { iss: 'https://evil.example' }],
  ])('takes no tokens that were made for %s', async (_, claims) => {
    expect(await answerTo(answer, flow, await cognito({ claims }))).toMatchObject({ kind: 'refused' });
  });

  test.each([{ refresh_token: null }, { access_token: null }, { refresh_token: '' }])(
    'says where a token is missing: %j',
    async (body) => {
      expect(await answerTo(answer, flow, await cognito({ body }))).toEqual({
        kind: 'refused',
        message: 'Missing tokens in session',
      });
    },
  );

  test('says what Cognito says of a code that is used up', async () => {
    const at = await cognito({ status: 400, body: { error: 'invalid_grant' } });
    expect(await answerTo(answer, flow, at)).toEqual({ kind: 'refused', message: 'invalid_grant' });
  });

  test('says so where Cognito can’t be reached', async () => {
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    expect(await answerTo(answer, flow, { config, site, fetch })).toEqual({
      kind: 'refused',
      message: 'The sign-in could not be finished. Please try again.',
    });
  });

  test('begins again once where the first sign-in only joined two accounts', async () => {
    const joined = query(
      `error=invalid_request&error_description=Already+found+an+entry+for+username+google_1&state=${flow.state}`,
    );
    expect(await answerTo(joined, flow, await cognito())).toEqual({ kind: 'again' });
    expect(await answerTo(joined, { ...flow, again: true }, await cognito())).toMatchObject({
      kind: 'refused',
    });
  });

  test('tells the provider’s own sentence, without what Cognito wraps it in', async () => {
    const refused = query(
      `error=invalid_request&error_description=PreSignUp+failed+with+error+Confirm+your+address+first..&state=${flow.state}`,
    );
    expect(await answerTo(refused, flow, await cognito())).toEqual({
      kind: 'refused',
      message: 'Confirm your address first.',
    });
  });
});
