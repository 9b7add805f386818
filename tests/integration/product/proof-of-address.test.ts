import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { removeIfUnconfirmed } from '../../../functions/accounts/address-ownership.ts';
import { cognitoAccountPool } from '../../../functions/adapters/cognito/account-pool.ts';
import { cognitoSignUps } from '../../../functions/adapters/cognito/sign-ups.ts';
import { cognitoUserPool } from '../../../functions/adapters/cognito/user-pool.ts';
import { confirmSignUp } from '../../../functions/api/confirm-sign-up.ts';
import { sweepUnconfirmed } from '../../../functions/schedules/unconfirmed-sweep.ts';
import { handleCustomMessage } from '../../../functions/triggers/custom-message.ts';
import { handlePostConfirmation } from '../../../functions/triggers/post-confirmation.ts';
import { handlePreSignUp } from '../../../functions/triggers/pre-sign-up.ts';
import { SIGN_UP_AGAIN, triggerRefusals } from '../../../schemas/trigger-refusals.ts';
import { browserThatSignsUp } from '../../fixtures/worlds/account.ts';
import {
  clientId,
  type HostedCognito,
  hours,
  password,
  poolId,
  startHostedCognito,
} from '../../fixtures/worlds/cognito-stand-in.ts';
import { call } from '../../fixtures/fakes/http-event.ts';
import { MemoryMail } from '../../fixtures/fakes/memory-mail.ts';
import {
  memoryAddressChanges,
  memoryAddresses,
  memoryAddressLimits,
  memoryNoticeLimits,
  memoryPlans,
  memorySessionEnds,
} from '../../fixtures/fakes/memory-adapters.ts';

// The product's triggers and its adapter, over HTTP to the stand-in.
let cognito: HostedCognito;
const siteUrl = 'https://selfsame.example';
const addresses = memoryAddresses();
const planTable = memoryPlans();
const users = (id: string) => ({ ...cognitoUserPool(id), ...cognitoAccountPool(id) });
const addressChanges = memoryAddressChanges();
const limits = memoryAddressLimits();
const mail = new MemoryMail();
const shared = { users, addresses, addressChanges, limits, mail, sendsThroughSes: true, siteUrl };

const discardSignUp = async (id: string, username: string) => {
  await cognitoAccountPool(id).discardPassword(username);
  await cognitoAccountPool(id).deleteName(username);
};

const asTrigger =
  <E>(handle: (event: E) => Promise<unknown>) =>
  async (event: unknown): Promise<unknown> => {
    try {
      return await handle(event as E);
    } catch (error) {
      // The error that the contract of `invoke` prescribes.
      // oxlint-disable-next-line typescript/only-throw-error, no-throw-literal
      throw { errorType: 'Error', errorMessage: error instanceof Error ? error.message : '' };
    }
  };

beforeAll(async () => {
  const notices = memoryNoticeLimits();
  cognito = await startHostedCognito({
    pool: {
      Schema: [
        { Name: 'email', Required: true, Mutable: true },
        { Name: 'browser', Mutable: false },
      ],
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }] },
    },
    client: { PreventUserExistenceErrors: 'ENABLED' },
    triggers: {
      PreSignUp: asTrigger(handlePreSignUp(shared)),
      PostConfirmation: asTrigger(
        handlePostConfirmation({
          ...shared,
          planTable,
          sessionEnds: memorySessionEnds(),
          notices,
          discardSignUp,
        }),
      ),
      CustomMessage: asTrigger(
        handleCustomMessage({
          siteUrl,
          sendsThroughSes: true,
          isUndeliverable: async () => false,
          isWithinLimit: (kind, address) => limits.take(kind, address, new Date()),
          removeUnconfirmed: (id, username) => removeIfUnconfirmed({ pool: users(id), addresses }, username),
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
const confirm = (ConfirmationCode: string, Username = email) =>
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
const pool = () => users(poolId);
const mailsSent = () => cognito.mail.list().filter(({ to }) => to === email).length;

test('signing up without confirming, then Google, then confirming leaves one account', async () => {
  await signUp();
  const code = codeOf();
  expect(await signInWith('Google', '1001')).toHaveProperty('code');
  expect(await confirm(code)).toMatchObject({ error: 'CodeMismatchException' });
  expect(await pool().find(email)).toBeUndefined();
  expect(addresses.owners.get(email)).toBe('google_1001');
  expect((await cognito.signInRaw(email)).error).toBe('NotAuthorizedException');
});

test('Google is linked to an account that was confirmed, and opens it at the second try', async () => {
  await signUp();
  await confirm(codeOf());
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
  expect(await confirm(codeOf())).toMatchObject({
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

describe('an account that a stranger began with their own password', () => {
  const strangers = 'the stranger knows it';
  const owners = 'only the owner knows it';

  test('is replaced when the owner signs up: the stranger’s password and codes open nothing', async () => {
    const { body: theirs } = await signUp(strangers);
    const oldCode = codeOf();
    const { body: mine, error } = await signUp(owners);
    expect(error).toBeUndefined();
    expect(mine.UserSub).not.toBe(theirs.UserSub);
    const code = codeOf();
    const stale = oldCode === code ? 'another' : oldCode;
    expect((await confirm(stale)).error).toBe('CodeMismatchException');
    expect((await confirm(code, mine.UserSub)).error).toBeUndefined();
    expect((await cognito.signInRaw(email, strangers)).error).toBe('NotAuthorizedException');
    expect((await cognito.signInRaw(email, owners)).error).toBeUndefined();
  });

  test('isn’t confirmed by the owner’s page if the stranger signs up again in between', async () => {
    const { body: mine } = await signUp(owners);
    await signUp(strangers);
    // The newest code, for the account that the page has created.
    expect((await confirm(codeOf(), mine.UserSub)).error).toBe('CodeMismatchException');
    expect(await pool().find(email)).toMatchObject({ status: 'UNCONFIRMED' });
  });

  test('is deleted without a mail when the owner has forgotten the password, and signs up again', async () => {
    await signUp(strangers);
    expect(await resend(SIGN_UP_AGAIN)).toMatchObject({
      error: 'UserLambdaValidationException',
      message: `CustomMessage failed with error ${triggerRefusals.signUpAgain}.`,
    });
    expect(mailsSent()).toBe(1);
    expect(await pool().find(email)).toBeUndefined();
    expect((await signUp(owners)).error).toBeUndefined();
    expect((await confirm(codeOf())).error).toBeUndefined();
    expect((await cognito.signInRaw(email, owners)).error).toBeUndefined();
  });

  test('is not touched in that way once it is confirmed', async () => {
    await signUp(owners);
    await confirm(codeOf());
    expect((await resend(SIGN_UP_AGAIN)).error).toBe('InvalidParameterException');
    expect((await signUp(strangers)).error).toBe('UsernameExistsException');
    expect((await cognito.signInRaw(email, owners)).error).toBeUndefined();
  });
});

/**
 * Everything that the owner of an address and a stranger can do before the address is proved, in every order,
 * and every way in which the owner then proves it.
 */
describe('in every order of owner and stranger', () => {
  const strangers = 'the stranger knows it';
  const owners = 'only the owner knows it';
  const chosen = 'chosen at the confirmation';
  const theirs = browserThatSignsUp();

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

  const signsIn = async (secret: string) => (await cognito.signInRaw(email, secret)).error === undefined;
  const begin = async (order: readonly Step[]) => {
    for (const step of order) await steps[step]();
    const account = await pool().find(email);
    if (!account) await signUp(owners);
  };
  const reset = async (secret: string) => {
    await cognito.call('ForgotPassword', { ClientId: clientId, Username: email });
    return cognito.call('ConfirmForgotPassword', {
      ClientId: clientId,
      Username: email,
      ConfirmationCode: /access_token=(\d{6})/.exec(cognito.lastMail(email).html)?.[1],
      Password: secret,
    });
  };

  test.each(titled)('%s: her browser confirms the newest code', async (_, order) => {
    await begin(order);
    const { error } = await confirm(codeOf());
    // Her own password, or none: then a reset sets one.
    expect(await signsIn(strangers)).toBe(false);
    expect(await signsIn(owners)).toBe(error === undefined);
    expect((await reset(chosen)).error).toBeUndefined();
    expect(await signsIn(chosen)).toBe(true);
  });

  test.each(titled)('%s: another of her devices confirms, and chooses', async (_, order) => {
    await begin(order);
    const body = { email, code: codeOf(), name: 'Ada Lovelace', password: chosen };
    const { status } = await call(confirmSignUp({ signUps: cognitoSignUps(poolId, clientId), limits }), {
      body,
    });
    expect(status).toBe(200);
    expect([await signsIn(strangers), await signsIn(owners), await signsIn(chosen)]).toEqual([
      false,
      false,
      true,
    ]);
    await signUp(strangers, theirs);
    expect(await signsIn(strangers)).toBe(false);
  });

  test.each(titled)('%s: she signs in with Google', async (_, order) => {
    await begin(order);
    expect(await signInWith('Google', `2${count}`)).toHaveProperty('code');
    expect(await signsIn(strangers)).toBe(false);
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
  expect((await confirm(code)).error).toBe('CodeMismatchException');
  expect((await signUp()).error).toBeUndefined();
  expect((await confirm(codeOf())).error).toBeUndefined();
  await cognito.clock.advance(hours(100));
  await sweep();
  expect(await pool().find(email)).toMatchObject({ status: 'CONFIRMED' });
});

test('sixty sign-ups of an address, and every other way to cause a mail to it, send ten mails a day at most', async () => {
  const strangers = browserThatSignsUp();
  await Promise.all(Array.from({ length: 60 }, () => signUp('chosen by a stranger', strangers)));
  for (let times = 0; times < 12; times += 1) {
    await resend();
    await signUp('chosen by a stranger', strangers);
  }
  const mails = cognito.mail.list().filter(({ to }) => to === email);
  expect(mails.length).toBeGreaterThan(0);
  expect(mails.length).toBeLessThanOrEqual(10);
  // The newest mail works, and what the stranger chose does not.
  expect((await signUp()).message).toContain(triggerRefusals.mailsSpent);
  expect((await confirm(codeOf())).message).toContain(triggerRefusals.passwordDiscarded);
  expect((await cognito.signInRaw(email, 'chosen by a stranger')).error).toBe('NotAuthorizedException');
});

test('codes are counted for the address, however often the sign-up begins again', async () => {
  const guess = async () => {
    const body = { email, code: '000000', name: 'A guesser', password: 'chosen by a guesser' };
    const answer = await call(confirmSignUp({ signUps: cognitoSignUps(poolId, clientId), limits }), { body });
    return answer.body['code'];
  };
  const answers: unknown[] = [];
  for (let round = 0; round < 8; round += 1) {
    await signUp();
    for (let tries = 0; tries < 3; tries += 1) answers.push(await guess());
  }
  expect(answers.indexOf('too-many-tries')).toBe(5);
  expect(new Set(answers.slice(5))).toEqual(new Set(['too-many-tries']));
});
