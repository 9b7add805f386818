import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { refusalToMail } from '../../../functions/accounts/refusal-to-mail.ts';
import { cognitoAccountPool } from '../../../functions/adapters/cognito/account-pool.ts';
import { cognitoUserPool } from '../../../functions/adapters/cognito/user-pool.ts';
import { handler as confirmSignUp } from '../../../functions/api/confirm-sign-up.ts';
import { handler as mailLink } from '../../../functions/api/mail-link.ts';
import { handler as resetPassword } from '../../../functions/api/reset-password.ts';
import { handleCustomMessage } from '../../../functions/triggers/custom-message.ts';
import { handlePostConfirmation } from '../../../functions/triggers/post-confirmation.ts';
import { handlePreSignUp } from '../../../functions/triggers/pre-sign-up.ts';
import { handleSignInByTicket } from '../../../functions/triggers/sign-in-by-ticket.ts';
import { triggerRefusals } from '../../../schemas/trigger-refusals.ts';
import { browserThatSignsUp, tokenIn } from '../../fixtures/worlds/account.ts';
import {
  asTrigger,
  clientId,
  type HostedCognito,
  password,
  poolId,
  Schema,
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
      Schema,
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
  call(confirmSignUp.with({ ...dependencies, pool: pool() }), { body: { email, token, ...also } });
/** In the owner's browser. */
const confirmHere = (token: string | undefined) => confirm(token, hers.metadata);
const chosen = 'chosen at the confirmation';
const confirmElsewhere = (token: string | undefined, secret = chosen) =>
  confirm(token, { account: { name: 'Ada Lovelace', password: secret } });
const refusedAs = (code: string) => ({ body: { code } });
/** Sets a password by a link that the owner asks for. */
const reset = async (newPassword: string) => {
  await call(mailLink.with({ ...dependencies, pool: pool(), browsers: parts.appSessions.browsers }), {
    body: { email, purpose: 'reset' },
  });
  const access_token = tokenIn(mail.sent.findLast(({ to }) => to === email)?.email.text ?? '');
  return call(resetPassword.with({ ...dependencies, pool: pool() }), { body: { access_token, newPassword } });
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
});

test('her browser confirms by her link, and keeps her password', async () => {
  await signUp(owners);
  expect(await confirmHere(links()[0])).toMatchObject({ status: 200 });
  expect(await signsIn(owners)).toBe(true);
});

test('another of her devices chooses a password, which a later press and a stranger’s sign-up leave', async () => {
  await signUp(owners);
  await signUp(strangers, theirs);
  const [first, last] = links();
  expect(await confirmHere(first)).toMatchObject(refusedAs('password-needed'));
  expect(await confirmElsewhere(first)).toMatchObject({ status: 200 });
  expect(await confirmElsewhere(last, 'another password')).toMatchObject(refusedAs('already-confirmed'));
  expect((await signUp(strangers, theirs)).error).toBe('UsernameExistsException');
  expect([await signsIn(strangers), await signsIn(owners), await signsIn(chosen)]).toEqual([
    false,
    false,
    true,
  ]);
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
