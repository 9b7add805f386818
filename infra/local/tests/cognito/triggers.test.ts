import { afterEach, expect, test } from 'vitest';
import { UserPoolSettings } from '../../aws/cognito/settings.ts';
import { Triggers } from '../../aws/cognito/triggers.ts';
import { poolProperties } from '../../in-process/cognito.ts';
import { clientId, password, poolId, startCognito, type CognitoStandIn } from '../fixtures/cognito.ts';

const email = 'ada@example.com';
const uuid = expect.stringMatching(/^[\da-f-]{36}$/);

let world: CognitoStandIn;
afterEach(() => world.stop());

const signUp = (more: object = {}) =>
  world.call('SignUp', {
    ClientId: clientId,
    Username: email,
    Password: password,
    UserAttributes: [{ Name: 'name', Value: 'Ada' }],
    ...more,
  });
const signUpAndConfirm = async () => {
  await signUp();
  const ConfirmationCode = world.lastMail(email).code;
  return world.call('ConfirmSignUp', { ClientId: clientId, Username: email, ConfirmationCode });
};
const sources = () => world.events.map(({ triggerSource }) => triggerSource);

test('each trigger gets the event that Cognito would send it', async () => {
  world = await startCognito({
    triggers: {
      PreSignUp: (event) => event,
      CustomMessage: (event) => event,
      PostConfirmation: (event) => event,
    },
  });
  await signUp({ ClientMetadata: { from: 'pricing' }, ValidationData: [{ Name: 'age', Value: '36' }] });
  await world.call('ConfirmSignUp', {
    ClientId: clientId,
    Username: email,
    ConfirmationCode: world.lastMail(email).code,
  });

  const common = {
    version: '1',
    region: 'us-east-1',
    userPoolId: poolId,
    userName: uuid,
    callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId },
  };
  const attributes = (status: string, verified: string) => ({
    sub: uuid,
    email,
    email_verified: verified,
    name: 'Ada',
    'cognito:user_status': status,
  });
  const confirmed = attributes('CONFIRMED', 'true');
  expect(world.events).toEqual([
    {
      ...common,
      triggerSource: 'PreSignUp_SignUp',
      request: {
        userAttributes: { email, name: 'Ada' },
        validationData: { age: '36' },
        clientMetadata: { from: 'pricing' },
      },
      response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
    },
    {
      ...common,
      triggerSource: 'CustomMessage_SignUp',
      request: {
        userAttributes: attributes('UNCONFIRMED', 'false'),
        codeParameter: '{####}',
        linkParameter: '{##Click Here##}',
        usernameParameter: null,
        clientMetadata: { from: 'pricing' },
      },
      response: { smsMessage: null, emailMessage: null, emailSubject: null },
    },
    {
      ...common,
      triggerSource: 'PostConfirmation_ConfirmSignUp',
      request: { userAttributes: confirmed },
      response: {},
    },
  ]);
  expect(new Set(world.events.map(({ userName }) => userName)).size).toBe(1);
});

test("a trigger's message has the code at every placeholder", async () => {
  world = await startCognito({
    triggers: {
      CustomMessage: (event) => ({
        ...event,
        response: {
          ...event.response,
          emailSubject: `Your code: ${String(event.request['codeParameter'])}`,
          emailMessage: `<a href="https://selfsame.example/?code={####}&amp;a=1">Confirm</a> or type <b>{####}</b>`,
        },
      }),
    },
  });
  expect((await signUpAndConfirm()).error).toBeUndefined();
  const { code, html, links, subject } = world.lastMail(email);
  expect(subject).toBe(`Your code: ${code}`);
  expect(html).toContain(`<b>${code}</b>`);
  expect(links).toEqual([`https://selfsame.example/?code=${code}&a=1`]);
});

test("without a trigger the pool's own message is sent", async () => {
  world = await startCognito({
    pool: { VerificationMessageTemplate: { EmailSubject: 'Welcome', EmailMessage: 'Type {####}.' } },
  });
  await signUp();
  const { code, subject, text } = world.lastMail(email);
  expect({ subject, text }).toEqual({ subject: 'Welcome', text: `Type ${code}.` });
});

const fail = (errorMessage: string) => () => {
  // The error that the contract of `invoke` prescribes.
  // oxlint-disable-next-line typescript/only-throw-error, no-throw-literal
  throw { errorType: 'Error', errorMessage };
};

test('no code is issued if CustomMessage throws', async () => {
  world = await startCognito({ triggers: { CustomMessage: fail('No') } });
  expect(await signUp()).toMatchObject({
    status: 400,
    error: 'UserLambdaValidationException',
    message: 'CustomMessage failed with error No.',
  });
  expect(world.mail.list()).toEqual([]);
  expect(world.store.collection('cognito/codes').list()).toEqual([]);
});

test('a function that times out is called three times, a function that throws once', async () => {
  world = await startCognito({ triggers: { PostConfirmation: fail('Once') } });
  await signUpAndConfirm();
  expect(world.events).toHaveLength(1);

  let asked = 0;
  const impatient = new Triggers(() => {
    asked += 1;
    return asked < 3 ? new Promise(() => {}) : Promise.resolve({ response: {} });
  }, 5);
  const pool = {
    id: poolId,
    region: 'us-east-1',
    name: 'Local0001',
    issuer: '',
    settings: UserPoolSettings.parse({ ...poolProperties, LambdaConfig: { PreSignUp: 'arn' } }),
    keys: { kid: '', privateKey: '', publicKey: '', decoySecret: '' },
  } satisfies Parameters<Triggers['preSignUp']>[1]['pool'];
  const call = { pool, clientId, username: 'u', metadata: undefined, attributes: {} };
  await impatient.preSignUp('PreSignUp_SignUp', call);
  expect(asked).toBe(3);

  const deaf = new Triggers(() => new Promise(() => {}), 5);
  await expect(deaf.preSignUp('PreSignUp_SignUp', call)).rejects.toMatchObject({
    type: 'UnexpectedLambdaException',
  });
});

test('the trigger before tokens runs for each sign-in and each renewal, and its error refuses them', async () => {
  let isBroken = false;
  world = await startCognito({
    triggers: {
      PreTokenGeneration: (event) => {
        if (isBroken) throw new Error('out of order');
        return event;
      },
    },
  });
  await world.confirmedUser(email);
  const { body } = await world.signInRaw(email);
  const renewal = { ClientId: clientId, RefreshToken: body.AuthenticationResult.RefreshToken };
  const renewed = await world.call('GetTokensFromRefreshToken', renewal);
  expect(sources()).toEqual(['TokenGeneration_Authentication', 'TokenGeneration_RefreshTokens']);
  expect(world.events[0]).toMatchObject({
    userName: uuid,
    callerContext: { clientId },
    request: {
      userAttributes: { sub: uuid, email, 'cognito:user_status': 'CONFIRMED' },
      groupConfiguration: { groupsToOverride: [], iamRolesToOverride: [], preferredRole: null },
    },
    response: { claimsOverrideDetails: null },
  });
  isBroken = true;
  expect((await world.signInRaw(email)).error).toBe('UserLambdaValidationException');
  // The token that was presented stays valid.
  const { RefreshToken } = renewed.body.AuthenticationResult;
  const again = { ClientId: clientId, RefreshToken };
  expect((await world.call('GetTokensFromRefreshToken', again)).error).toBe('UserLambdaValidationException');
  isBroken = false;
  expect((await world.call('GetTokensFromRefreshToken', again)).error).toBeUndefined();
});
