import { describe, expect, test } from 'vitest';
import { readProviderProfile } from '../../../../../functions/domain/account-linking.ts';
import type { CodeFlowClient } from '../../../../../web/src/oauth/code-flow.ts';
import { providerSentence } from '../../../../../web/src/oauth/cognito-message.ts';
import { WENT_WRONG } from '../../../../../web/src/account/auth-sentence.ts';
import {
  answerOf,
  FOREIGN_ANSWER,
  type StoredSignIn,
} from '../../../../../web/src/account/provider-answer.ts';
import { callbackQuery } from '../../../../../web/src/session/provider-callback.ts';
import { faultReasons } from '../../../../../schemas/product/provider-faults.ts';
import { providerKeys, providers } from '../../../../../schemas/product/providers.ts';
import { triggerRefusals } from '../../../../../schemas/trigger-refusals.ts';
import { fakeTokenEndpoint, tokens, userPool } from '../../../../fixtures/fakes/fake-token-endpoint.ts';

const signIn: StoredSignIn = {
  provider: 'google',
  path: '/checkout?plan=plus',
  begunAt: '/login',
  state: 'sent',
  nonce: 'once',
  verifier: 'proof',
  again: 'no',
};
const client: CodeFlowClient = {
  config: userPool,
  clientId: 'site-client',
  redirectUri: 'https://selfsame.example/dashboard',
  scope: 'openid',
  clockTolerance: 60,
  fetch: () => Promise.reject(new Error('The token endpoint was called.')),
};
const issued = { clientId: 'site-client', nonce: 'once' };

/** How a tab that stored `stored` answers the callback. */
const answerTo = (
  answer: Record<string, string>,
  stored: Partial<StoredSignIn> = signIn,
  { fetch }: Pick<CodeFlowClient, 'fetch'> = client,
) =>
  answerOf({ query: new URLSearchParams(answer), stored: new URLSearchParams(stored) }, async () => ({
    ...client,
    ...(fetch && { fetch }),
  }));

describe('the address of a provider’s answer', () => {
  test.each([
    ['/dashboard', '?code=c&state=s'],
    ['/dashboard', '?error=access_denied&state=s'],
  ])('is %s%s', (pathname, search) => {
    expect(callbackQuery({ pathname, search })?.get('state')).toBe('s');
  });

  test.each(faultReasons.map((reason) => `github-${reason}`))(
    'is the sign-in page with our GitHub bridge’s fault %s, and no other',
    (fault) => {
      const search = `?fault=${fault}`;
      expect(callbackQuery({ pathname: '/login', search })?.get('fault')).toBe(fault);
      expect(callbackQuery({ pathname: '/login', search: `${search}%20Call%20555-0100` })).toBeNull();
      expect(callbackQuery({ pathname: '/signup', search })).toBeNull();
    },
  );

  test.each([
    ['/dashboard', ''],
    ['/dashboard', '?state=s'],
    // The mail's link carries a code of another kind.
    ['/email-confirmation', '?code=123456'],
    ['/oauth/callback', '?code=c&state=s'],
  ])('is not %s%s', (pathname, search) => {
    expect(callbackQuery({ pathname, search })).toBeNull();
  });
});

describe('an answer of a provider', () => {
  test('with the state that was sent is exchanged for tokens, with its verifier', async () => {
    const { requests, idToken, fetch } = await fakeTokenEndpoint(issued);
    expect(await answerTo({ code: 'c', state: 'sent' }, signIn, { fetch })).toEqual({
      kind: 'tokens',
      tokens: { ...tokens, id_token: idToken },
      provider: 'google',
    });
    expect(Object.fromEntries(new URLSearchParams(await requests[0]?.text()))).toEqual({
      grant_type: 'authorization_code',
      client_id: 'site-client',
      redirect_uri: 'https://selfsame.example/dashboard',
      code: 'c',
      code_verifier: 'proof',
    });
  });

  test.each([
    [
      'github-expired',
      'The sign-in with GitHub took too long, or was begun again in another window. Please start it again, or sign in another way.',
    ],
    ['github-failed', 'The sign-in with GitHub failed. Please start it again, or sign in another way.'],
  ])(
    'that is the fault %s of our GitHub issuer says so, also in a tab that began nothing',
    async (fault, message) => {
      expect(await answerTo({ fault })).toEqual({ kind: 'refused', message });
      expect(await answerTo({ fault }, {})).toEqual({ kind: 'refused', message });
    },
  );

  test.each([
    ['another nonce', { claims: { nonce: 'another' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['another client', { claims: { aud: 'relay-client' } }],
    ['another pool', { claims: { iss: 'https://evil.example' } }],
    ['no refresh token', { body: { refresh_token: undefined } }],
    ['an error', { status: 400, body: { error: 'invalid_grant' } }],
  ])('whose tokens have %s signs no user in', async (_, given) => {
    const endpoint = await fakeTokenEndpoint(issued, given);
    expect(await answerTo({ code: 'c', state: 'sent' }, signIn, endpoint)).toEqual({
      kind: 'refused',
      message: WENT_WRONG,
    });
    expect(endpoint.requests).toHaveLength(1);
  });

  test('whose tokens our trigger refuses shows our sentence alone', async () => {
    const error = `PreTokenGeneration failed with error ${triggerRefusals.providerTakenOff}. (Service: AWSCognitoIdentityProviderInternalService; Status Code: 400; Proxy: null)`;
    const endpoint = await fakeTokenEndpoint(issued, { status: 400, body: { error } });
    expect(await answerTo({ code: 'c', state: 'sent' }, signIn, endpoint)).toEqual({
      kind: 'refused',
      message: triggerRefusals.providerTakenOff,
    });
  });

  test.each([
    ['another state', { code: 'c', state: 'other' }, signIn],
    ['no state', { code: 'c' }, signIn],
    ['no sign-in begun in this tab', { code: 'c', state: 'sent' }, {}],
    ['no sign-in begun and an empty state', { code: 'c', state: '' }, {}],
    ['half of what was stored', { code: 'c', state: 'sent' }, { state: 'sent', verifier: 'proof' }],
  ])('with %s signs no user in', async (_, answer, stored) => {
    const endpoint = await fakeTokenEndpoint(issued);
    expect(await answerTo(answer, stored, endpoint)).toEqual({ kind: 'refused', message: FOREIGN_ANSWER });
    expect(endpoint.requests).toEqual([]);
  });

  const refused = (message: string) => ({ kind: 'refused', message });
  test.each([
    [
      'shows no message of a link that this tab did not cause',
      { error: 'invalid_request', error_description: 'Call 555-0100 to unlock.', state: 'guess' },
      refused(FOREIGN_ANSWER),
    ],
    [
      'that is an error counts as an error, even with a code',
      { error: 'invalid_request', code: 'c', state: 'sent' },
      refused(WENT_WRONG),
    ],
    [
      'that is a refusal of our trigger shows our sentence alone',
      {
        error: 'invalid_request',
        error_description: `PreSignUp failed with error ${triggerRefusals.addressProved}. `,
        state: 'sent',
      },
      refused(triggerRefusals.addressProved),
    ],
    ['that the user cancelled', { error: 'access_denied', state: 'sent' }, { kind: 'cancelled' }],
    [
      'that gives a provider’s reason shows the reason, whatever its error code',
      {
        error: 'invalid_request',
        error_description: 'GitHub Error - 400 access_denied Verify an address at GitHub.',
        state: 'sent',
      },
      refused('Verify an address at GitHub.'),
    ],
    ['without a message', { error: 'server_error', state: 'sent' }, refused(WENT_WRONG)],
    ['without a code', { code: '', state: 'sent' }, refused(WENT_WRONG)],
  ])('%s', async (_, answer, outcome) => {
    expect(await answerTo(answer)).toEqual(outcome);
  });

  const linked = {
    error: 'invalid_request',
    error_description: 'Already found an entry for username google_1234',
    state: 'sent',
  };

  test('that only linked two accounts is begun again once, and names no account', async () => {
    const { provider, path, begunAt } = signIn;
    expect(await answerTo(linked)).toEqual({
      kind: 'retry',
      signIn: { provider, path, begunAt, again: 'yes' },
    });
    expect(await answerTo(linked, { ...signIn, again: 'yes' })).toEqual({
      kind: 'refused',
      message: WENT_WRONG,
    });
  });
});

test.each(providerKeys)('a user who cancels at %s is asked nothing', async (key) => {
  const error_description = providers[key].cancelled;
  const answer = { error: 'invalid_request', error_description, state: 'sent' };
  expect(await answerTo(answer)).toEqual({ kind: 'cancelled' });
});

const failedAt = (provider: string) =>
  `${provider} could not sign you in. Please try again. If that fails, check that your email address is verified there.`;
const TAKEN = 'An account with the given email already exists.';
test.each([
  [`PreSignUp failed with error ${TAKEN}.`, TAKEN],
  [`PreSignUp failed with error ${TAKEN}`, TAKEN],
  ['GitHub Error - 400 error getting token ', failedAt('GitHub')],
  [
    'GitHub Error - 400 access_denied GitHub has no verified email address for this account.',
    'GitHub has no verified email address for this account.',
  ],
  ['Google Error - 400 invalid_grant', failedAt('Google')],
  ['GitHub Error - 400 invalid_client The client is not known here.', failedAt('GitHub')],
  [
    'Google Error - 403 org_internal This client is restricted to users within its organization.',
    failedAt('Google'),
  ],
  ['PreSignUp failed with error RequestId: 1f3a Error: Runtime exited with error: exit status 1.', ''],
  ['PreSignUp failed with error Call 555-0100 to unlock..', ''],
  ['User pool us-east-1_abc does not exist.', ''],
  ['', ''],
])('Cognito’s %j is shown as %j', (message, shown) => {
  expect(providerSentence(message)).toBe(shown);
});

const profiles = [
  ['without a verified address', 'google_1', { email: 'ada@example.com' }],
  ['without an address', 'GitHub_1', {}],
  ['with an unusable address', 'google_1', { email: `${'a'.repeat(129)}@b.example`, email_verified: 'true' }],
  ['of an unknown provider', 'facebook_1', {}],
] as const;

test.each(profiles)(
  'the refusal of a profile %s is shown as our trigger words it',
  (_, userName, attributes) => {
    const profile = readProviderProfile(userName, attributes);
    const sentence = profile.kind === 'refused' ? profile.sentence : '';
    expect(sentence).not.toBe('');
    expect(providerSentence(`PreSignUp failed with error ${sentence}.`)).toBe(sentence);
  },
);
