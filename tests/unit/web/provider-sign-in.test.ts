import { describe, expect, test } from 'vitest';
import { answered, type Begun, CANCELLED, NOT_BEGUN_HERE } from '../../../web/src/session/provider-answer.ts';
import { plainMessage, WENT_WRONG } from '../../../web/src/session/provider-message.ts';
import { answerIn } from '../../../web/src/session/provider-return.ts';

const begun: Begun = {
  provider: 'Google',
  path: '/checkout?plan=plus',
  state: 'sent',
  verifier: 'proof',
  again: 'no',
};

/** What a tab makes of an answer, having sent away `kept`. */
const come = (answer: Record<string, string>, kept: Partial<Begun> = begun) =>
  answered({ answer: new URLSearchParams(answer), begun: new URLSearchParams(kept) });

describe('the address a provider’s answer comes to', () => {
  test.each([
    ['/dashboard', '?code=c&state=s'],
    ['/dashboard', '?error=access_denied&state=s'],
  ])('is %s%s', (pathname, search) => {
    expect(answerIn({ pathname, search })?.get('state')).toBe('s');
  });

  test.each([
    ['/dashboard', ''],
    ['/dashboard', '?state=s'],
    // The mail's link carries a code of another kind.
    ['/email-confirmation', '?code=123456'],
    ['/oauth/callback', '?code=c&state=s'],
  ])('is not %s%s', (pathname, search) => {
    expect(answerIn({ pathname, search })).toBeNull();
  });
});

describe('an answer of a provider', () => {
  test('with the state that was sent is a code to exchange, with its proof', () => {
    expect(come({ code: 'c', state: 'sent' })).toEqual({ kind: 'code', code: 'c', verifier: 'proof' });
  });

  test.each([
    ['another state', { code: 'c', state: 'other' }, begun],
    ['no state', { code: 'c' }, begun],
    ['nothing sent away from this tab', { code: 'c', state: 'sent' }, {}],
    ['nothing sent away and an empty state', { code: 'c', state: '' }, {}],
    ['half of what was noted', { code: 'c', state: 'sent' }, { state: 'sent', verifier: 'proof' }],
  ])('with %s signs nobody in', (_, answer, kept) => {
    expect(come(answer, kept)).toEqual({ kind: 'refused', message: NOT_BEGUN_HERE });
  });

  test('shows no words of somebody who only made a link', () => {
    const answer = {
      error: 'invalid_request',
      error_description: 'Call 555-0100 to unlock.',
      state: 'guess',
    };
    expect(come(answer)).toEqual({ kind: 'refused', message: NOT_BEGUN_HERE });
  });

  test('that is an error counts as one, whatever else it carries', () => {
    expect(come({ error: 'invalid_request', code: 'c', state: 'sent' }).kind).toBe('refused');
  });

  test('that is a refusal of ours says our sentence alone', () => {
    const answer = {
      error: 'invalid_request',
      error_description: 'PreSignUp failed with error Please verify your address first.. ',
      state: 'sent',
    };
    expect(come(answer)).toEqual({ kind: 'refused', message: 'Please verify your address first.' });
  });

  test.each([
    { error: 'access_denied', state: 'sent' },
    { error: 'invalid_request', error_description: 'access_denied', state: 'sent' },
  ])('that somebody cancelled says so: %j', (answer) => {
    expect(come(answer)).toEqual({ kind: 'refused', message: CANCELLED });
  });

  test('that a provider refused somebody for a reason gives the reason, whatever code it comes under', () => {
    const error_description = 'GitHub Error - 400 access_denied Verify an address at GitHub.';
    expect(come({ error: 'invalid_request', error_description, state: 'sent' })).toEqual({
      kind: 'refused',
      message: 'Verify an address at GitHub.',
    });
  });

  test('without a word says that it went wrong', () => {
    expect(come({ error: 'server_error', state: 'sent' })).toEqual({ kind: 'refused', message: WENT_WRONG });
    expect(come({ code: '', state: 'sent' })).toEqual({ kind: 'refused', message: WENT_WRONG });
  });

  const joined = {
    error: 'invalid_request',
    error_description: 'Already found an entry for username google_1234',
    state: 'sent',
  };

  test('that only joined two accounts is asked for once more', () => {
    const { provider, path } = begun;
    expect(come(joined)).toEqual({ kind: 'again', begun: { provider, path, again: 'yes' } });
  });

  test('that does so twice is asked for no more, and names no account', () => {
    expect(come(joined, { ...begun, again: 'yes' })).toEqual({ kind: 'refused', message: WENT_WRONG });
  });
});

test.each([
  [
    'PreSignUp failed with error An account with the given email already exists..',
    'An account with the given email already exists.',
  ],
  [
    'PreSignUp failed with error An account with the given email already exists.',
    'An account with the given email already exists.',
  ],
  [
    'GitHub Error - 400 error getting token ',
    'GitHub could not sign you in. Please check that your e-mail address is verified there, and try again.',
  ],
  [
    'GitHub Error - 400 access_denied GitHub has no verified e-mail address for this account.',
    'GitHub has no verified e-mail address for this account.',
  ],
  [
    'Google Error - 400 invalid_grant',
    'Google could not sign you in. Please check that your e-mail address is verified there, and try again.',
  ],
  ['Incorrect username or password.', 'Incorrect username or password.'],
  ['', ''],
])('Cognito’s %j is shown as %j', (message, shown) => {
  expect(plainMessage(message)).toBe(shown);
});
