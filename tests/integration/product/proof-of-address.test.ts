import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { refusalToMail } from '../../../functions/accounts/refusal-to-mail.ts';
import { removeForSignUp } from '../../../functions/accounts/address-ownership.ts';
import { cognitoAccountPool } from '../../../functions/adapters/cognito/account-pool.ts';
import { cognitoUserPool } from '../../../functions/adapters/cognito/user-pool.ts';
import { confirmSignUp } from '../../../functions/api/confirm-sign-up.ts';
import { mailLink } from '../../../functions/api/mail-link.ts';
import { resetPassword } from '../../../functions/api/reset-password.ts';
import { sweepUnconfirmed } from '../../../functions/schedules/unconfirmed-sweep.ts';
import { handleCustomMessage } from '../../../functions/triggers/custom-message.ts';
import { handlePostConfirmation } from '../../../functions/triggers/post-confirmation.ts';
import { handlePreSignUp } from '../../../functions/triggers/pre-sign-up.ts';
import { handleSignInByTicket } from '../../../functions/triggers/sign-in-by-ticket.ts';
import { SIGN_UP_AGAIN, triggerRefusals } from '../../../schemas/trigger-refusals.ts';
import { browserThatSignsUp, tokenIn } from '../../fixtures/worlds/account.ts';
import {
  asTrigger,
  clientId,
  type HostedCognito,
  hours,
  password,
  poolId,
  startHostedCognito,
} from '../../fixtures/worlds/cognito-stand-in.ts';
import { accountParts } from '../../fixtures/fakes/account-parts.ts';
import { call } from '../../fixtures/fakes/http-event.ts';
import { memoryPlans } from '../../fixtures/fakes/memory-adapters.ts';

// The product's triggers, routes and adapter, over HTTP to the stand-in.
let cognito: HostedCognito;
const planTable = memoryPlans();
const parts = accountParts(planTable);
const { addresses, limits, proofs, mail, siteUrl } = parts;
const users = (id: string) => ({ ...cognitoUserPool(id), ...cognitoAccountPool(id) });
const pool = () => users(poolId);
const signsInByTicket = asTrigger(handleSignInByTicket(parts));
const dependencies = { ...parts, planTable, users, sendsThroughSes: true };

beforeAll(async () => {
  cognito = await startHostedCognito({
    pool: {
      Schema: [
        { Name: 'email', Required: true, Mutable: true },
        { Name: 'browser', Mutable: false },
      ],
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'admin_only', Priority: 1 }] },
    },
    client: {
      PreventUserExistenceErrors: 'ENABLED',
      ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH', 'ALLOW_USER_PASSWORD_AUTH', 'ALLOW_CUSTOM_AUTH'],
    },
    triggers: {
      PreSignUp: asTrigger(handlePreSignUp(dependencies)),
      PostConfirmation: asTrigger(
        handlePostConfirmation({
          ...dependencies,
          discardSignUp: async (_, username) => {
            await pool().discardPassword(username);
            await pool().deleteName(username);
          },
        }),
      ),
      DefineAuthChallenge: signsInByTicket,
      CreateAuthChallenge: signsInByTicket,
      VerifyAuthChallengeResponse: signsInByTicket,
      CustomMessage: asTrigger(
        handleCustomMessage({
          siteUrl,
          sendsThroughSes: true,
          refusalToMail: ({ email: of, again }) =>
            refusalToMail({ limits }, { purpose: 'sign-up', of, again }, new Date()),
          createProof: (address) => proofs.create({ purpose: 'sign-up', email: address }, new Date()),
          removeUnconfirmed: (id, username) => removeForSignUp({ pool: users(id), addresses }, username),
        }),
      ),
    },
  });
  vi.stubEnv('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER', cognito.origin);
});
afterAll(async () => {
  await cognito.stop();
  vi.unstubAllEnvs();
});

let email: string;
let count = 0;
beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  count += 1;
  email = `person-${count}@example.com`;
  hers = browserThatSignsUp();
  cognito.changeBrowser();
});

/** The owner's browser. */
let hers: ReturnType<typeof browserThatSignsUp>;
const signUp = (secret = password, browser = hers) =>
  cognito.call('SignUp', {
    ClientId: clientId,
    Username: email,
    Password: secret,
    UserAttributes: [browser.attribute],
  });
const codeOf = () => cognito.lastMail(email).code;
const confirmByCode = (ConfirmationCode: string, Username = email) =>
  cognito.call('ConfirmSignUp', {
    ClientId: clientId,
    Username,
    ConfirmationCode,
    ClientMetadata: hers.metadata,
  });
const resend = (ClientMetadata = {}) =>
  cognito.call('ResendConfirmationCode', { ClientId: clientId, Username: email, ClientMetadata });
const signInWith = (identity_provider: string, sub: string) => {
  cognito.provider.account = { sub, email, email_verified: true, name: 'Ada' };
  return cognito.arrive({ identity_provider });
};
/** Signs in with the ticket of an answer. Resolves with Cognito's answer. */
const signInBy = async ({ body }: { body: unknown }) => {
  const { ticket: ANSWER } = body as { ticket: string };
  const begun = await cognito.call('InitiateAuth', {
    AuthFlow: 'CUSTOM_AUTH',
    ClientId: clientId,
    AuthParameters: { USERNAME: email },
  });
  return cognito.call('RespondToAuthChallenge', {
    ChallengeName: 'CUSTOM_CHALLENGE',
    ClientId: clientId,
    Session: begun.body.Session,
    ChallengeResponses: { USERNAME: begun.body.ChallengeParameters.USERNAME, ANSWER },
  });
};
const signsIn = async (secret: string) => (await cognito.signInRaw(email, secret)).error === undefined;

/** The tokens of the links in Cognito's mails to the address, oldest first. */
const links = () =>
  cognito.mail
    .list()
    .filter(({ to }) => to === email)
    .map(({ html }) => tokenIn(html) ?? '')
    .toReversed();
const confirm = async (token: string | undefined, also: object = {}) =>
  call(confirmSignUp({ ...dependencies, pool: pool() }), { body: { email, token, ...also } });
/** In the owner's browser. */
const confirmHere = (token: string | undefined) => confirm(token, hers.metadata);
const chosen = 'chosen at the confirmation';
const confirmElsewhere = (token: string | undefined, secret = chosen) =>
  confirm(token, { account: { name: 'Ada Lovelace', password: secret } });
const refusedAs = (code: string) => ({ body: { code } });
/** Sets a password by a link that the owner asks for. */
const reset = async (newPassword: string) => {
  await call(mailLink({ ...dependencies, pool: pool(), browsers: parts.appSessions.browsers }), {
    body: { email, purpose: 'reset' },
  });
  const access_token = tokenIn(mail.sent.findLast(({ to }) => to === email)?.email.text ?? '');
  return call(resetPassword({ ...dependencies, pool: pool() }), { body: { access_token, newPassword } });
};

test('signing up without confirming, then Google, then confirming leaves one account', async () => {
  await signUp();
  const code = codeOf();
  expect(await signInWith('Google', '1001')).toHaveProperty('code');
  expect(await confirmByCode(code)).toMatchObject({ error: 'CodeMismatchException' });
  expect(await confirmElsewhere(links()[0])).toMatchObject(refusedAs('already-confirmed'));
  expect(await pool().find(email)).toBeUndefined();
  expect(addresses.owners.get(email)).toBe('google_1001');
  expect([await signsIn(password), await signsIn(chosen)]).toEqual([false, false]);
});

test('Google is linked to an account that was confirmed, and opens it at the second try', async () => {
  await signUp();
  await confirmHere(links()[0]);
  expect((await signInWith('Google', '1002'))['error_description']).toContain('Already found an entry');
  expect(await signInWith('Google', '1002')).toHaveProperty('code');
  const account = await pool().find(email);
  expect(account?.identities).toEqual([{ provider: 'google', id: '1002' }]);
  expect(addresses.owners.get(email)).toBe(account?.username);
});

test('a sign-up with a password is refused once Google has proved the address', async () => {
  await signInWith('Google', '1003');
  expect(await signUp()).toMatchObject({
    error: 'UserLambdaValidationException',
    message: `PreSignUp failed with error ${triggerRefusals.addressTaken}.`,
  });
});

test('a right code is refused in a sentence if another account has proved the address meanwhile', async () => {
  await signUp();
  const account = await pool().find(email);
  await signInWith('Google', '1004');
  // As if Cognito had written the account after the sign-in had looked for it.
  await signUpAround();
  expect(await confirmByCode(codeOf())).toMatchObject({
    error: 'UserLambdaValidationException',
    message: `PostConfirmation failed with error ${triggerRefusals.addressProved}.`,
  });
  expect(await pool().find(email)).toBeUndefined();
  expect(planTable.rows.has(account?.username ?? '')).toBe(false);
});

/** Signs up while the Addresses table doesn't show who has the address. */
async function signUpAround(): Promise<void> {
  const owner = vi.spyOn(addresses, 'ownerOf').mockResolvedValueOnce(undefined);
  expect((await signUp()).error).toBeUndefined();
  owner.mockRestore();
}

const strangers = 'the stranger knows it';
const owners = 'only the owner knows it';
const theirs = browserThatSignsUp();

describe('an account that a stranger began with their own password', () => {
  test('is replaced when the owner signs up: the stranger’s password and code open nothing', async () => {
    const { body: before } = await signUp(strangers, theirs);
    const oldCode = codeOf();
    const { body: mine, error } = await signUp(owners);
    expect(error).toBeUndefined();
    expect(mine.UserSub).not.toBe(before.UserSub);
    const code = codeOf();
    const stale = oldCode === code ? 'another' : oldCode;
    expect((await confirmByCode(stale)).error).toBe('CodeMismatchException');
    expect((await confirmByCode(code, mine.UserSub)).error).toBeUndefined();
    expect([await signsIn(strangers), await signsIn(owners)]).toEqual([false, true]);
    // The link after the code.
    for (const link of links()) expect(await confirmHere(link)).toMatchObject({ status: 200 });
    expect(await signsIn(owners)).toBe(true);
  });

  test('keeps no password of the stranger’s when the owner types its code', async () => {
    await signUp(strangers, theirs);
    expect((await confirmByCode(codeOf())).message).toContain(triggerRefusals.passwordDiscarded);
    expect(await signsIn(strangers)).toBe(false);
    expect(await reset(owners)).toMatchObject({ status: 200 });
    expect(await signsIn(owners)).toBe(true);
  });

  test('is deleted without a mail when the owner has forgotten the password, and signs up again', async () => {
    await signUp(strangers, theirs);
    expect(await resend(SIGN_UP_AGAIN)).toMatchObject({
      error: 'UserLambdaValidationException',
      message: `CustomMessage failed with error ${triggerRefusals.signUpAgain}.`,
    });
    expect(links()).toHaveLength(1);
    expect(await pool().find(email)).toBeUndefined();
  });

  test('is not touched in that way once it is confirmed', async () => {
    await signUp(owners);
    await confirmHere(links()[0]);
    expect((await resend(SIGN_UP_AGAIN)).error).toBe('InvalidParameterException');
    expect((await signUp(strangers, theirs)).error).toBe('UsernameExistsException');
    expect(await signsIn(owners)).toBe(true);
  });
});

/**
 * Everything that the owner of an address and a stranger can do before the address is proved, in every order,
 * and every way in which the owner then proves it.
 */
describe('in every order of owner and stranger', () => {
  const steps = {
    'she signs up': () => signUp(owners),
    'they sign up': () => signUp(strangers, theirs),
    'a code is resent': () => resend(),
    'they remove the sign-up': () => resend(SIGN_UP_AGAIN),
  };
  type Step = keyof typeof steps;
  const all = Object.keys(steps) as Step[];
  const orders: Step[][] = (['she signs up', 'they sign up'] as const).flatMap((first) => [
    [first],
    ...all.map((second) => [first, second]),
    // After a sign-up, a third step that isn't one leads back to an order of two steps.
    ...all.flatMap((second) => all.slice(0, 2).map((third) => [first, second, third])),
  ]);
  const titled = orders.map((order) => [order.join(', '), order] as const);
  const begin = async (order: readonly Step[]) => {
    for (const step of order) await steps[step]();
  };

  test.each(titled)('%s: her browser confirms by her first link', async (_, order) => {
    await begin(order);
    const [link] = links();
    const isHers = (await confirmHere(link)).status === 200;
    const answers = isHers ? [] : [await confirmHere(link), await confirmElsewhere(link)];
    expect(answers).toMatchObject(isHers ? [] : [refusedAs('password-needed'), { status: 200 }]);
    expect([await signsIn(strangers), await signsIn(owners), await signsIn(chosen)]).toEqual([
      false,
      isHers,
      !isHers,
    ]);
    expect(await reset('chosen by a link')).toMatchObject({ status: 200 });
    expect(await signsIn('chosen by a link')).toBe(true);
  });

  test.each(titled)('%s: another of her devices confirms by any link, and chooses', async (_, order) => {
    await begin(order);
    expect(await confirmElsewhere(links().at(-1))).toMatchObject({ status: 200 });
    // Pressed again, they change nothing.
    for (const link of links()) {
      expect(await confirmElsewhere(link, 'another password')).toMatchObject(refusedAs('already-confirmed'));
    }
    await signUp(strangers, theirs);
    expect([await signsIn(strangers), await signsIn(owners), await signsIn(chosen)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test.each(titled)('%s: she signs in with Google', async (_, order) => {
    await begin(order);
    expect(await signInWith('Google', `2${count}`)).toHaveProperty('code');
    await signUp(strangers, theirs);
    expect(await signsIn(strangers)).toBe(false);
  });
});

test('an account that is never confirmed is deleted after 48 hours, and the address is free again', async () => {
  await signUp();
  const code = codeOf();
  const sweep = sweepUnconfirmed(
    { pool: pool(), addresses },
    () => cognito.clock.now(),
    async () => {},
  );
  await cognito.clock.advance(hours(47));
  await sweep();
  expect(await pool().find(email)).toMatchObject({ status: 'UNCONFIRMED' });
  await cognito.clock.advance(hours(1));
  await sweep();
  expect(await pool().find(email)).toBeUndefined();
  expect((await confirmByCode(code)).error).toBe('CodeMismatchException');
  expect((await signUp()).error).toBeUndefined();
  expect((await confirmByCode(codeOf())).error).toBeUndefined();
  await cognito.clock.advance(hours(100));
  await sweep();
  expect(await pool().find(email)).toMatchObject({ status: 'CONFIRMED' });
});

test('a stranger who spends a day’s mails and guesses codes leaves ten links that work', async () => {
  await Promise.all(Array.from({ length: 60 }, () => signUp(strangers, theirs)));
  for (let times = 0; times < 12; times += 1) {
    await resend();
    await signUp(strangers, theirs);
    await confirmByCode('000000');
  }
  await resend(SIGN_UP_AGAIN);
  expect((await signUp()).message).toContain(triggerRefusals.spent);
  expect(links().length).toBeGreaterThan(0);
  expect(links().length).toBeLessThanOrEqual(10);
  const [first] = links();
  expect(await confirmHere(first)).toMatchObject(refusedAs('password-needed'));
  expect(await confirmElsewhere(first)).toMatchObject({ status: 200 });
  expect([await signsIn(strangers), await signsIn(chosen)]).toEqual([false, true]);
});

test('the bearer of a link is signed in, in any browser and while wrong passwords lock the account', async () => {
  await signUp(strangers, theirs);
  const answer = await confirmElsewhere(links()[0]);
  expect((await signInBy(answer)).body.AuthenticationResult).toBeDefined();
  expect((await signInBy(answer)).error).toBe('NotAuthorizedException');
  for (let seconds = 1; seconds < 1_000; seconds *= 2) {
    await cognito.clock.advance(seconds * 1_000);
    for (let tries = 0; tries < 5; tries += 1) await signsIn('wrong');
  }
  const after = await reset(owners);
  expect((await cognito.signInRaw(email, owners)).message).toBe('Password attempts exceeded');
  expect((await signInBy(after)).body.AuthenticationResult).toBeDefined();
});

test('nobody can reset a password with a code of Cognito’s', async () => {
  await signUp(owners);
  await confirmHere(links()[0]);
  const account = { ClientId: clientId, Username: email };
  const forgotten = await cognito.call('ForgotPassword', account);
  expect(forgotten.error).toBe('NotAuthorizedException');
  const guess = { ...account, ConfirmationCode: '000000', Password: strangers };
  for (let tries = 0; tries < 20; tries += 1) {
    expect((await cognito.call('ConfirmForgotPassword', guess)).error).toBeDefined();
  }
  expect([await signsIn(strangers), await signsIn(owners)]).toEqual([false, true]);
  expect(await reset(chosen)).toMatchObject({ status: 200, body: { email, ticket: expect.any(String) } });
  expect([await signsIn(owners), await signsIn(chosen)]).toEqual([false, true]);
});
