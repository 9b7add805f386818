import { beforeEach, expect, test } from 'vitest';
import { poolProperties } from '../../in-process/cognito.ts';
import { clientId, password, poolId, startCognito, type CognitoStandIn } from '../fixtures/cognito.ts';

const email = 'ada@example.com';
const ada = { UserPoolId: poolId, Username: email };

let world: CognitoStandIn;
beforeEach(async () => {
  world = await startCognito();
  return () => world.stop();
});

test('operations of administrators need a signature, which no page can make', async () => {
  await world.confirmedUser(email);
  for (const operation of ['AdminGetUser', 'AdminDeleteUser', 'ListUsers', 'AdminUserGlobalSignOut']) {
    expect((await world.call(operation, ada)).error).toBe('MissingAuthenticationTokenException');
  }
  const preflight = await fetch(world.origin, { method: 'OPTIONS' });
  // `*` in CORS doesn't include Authorization.
  expect(preflight.headers.get('access-control-allow-headers')).toBe('*');
});

test('a page of any origin may call and read errors', async () => {
  const refused = await world.call('InitiateAuth', {
    AuthFlow: 'USER_PASSWORD_AUTH',
    ClientId: clientId,
    AuthParameters: { USERNAME: email, PASSWORD: password },
  });
  expect(refused.body).toEqual({
    __type: 'NotAuthorizedException',
    message: 'Incorrect username or password.',
  });
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.stringContaining('x-amzn-ErrorType'),
    'content-type': 'application/x-amz-json-1.1',
    'x-amzn-errortype': 'NotAuthorizedException:',
    'x-amzn-requestid': expect.any(String),
  });
});

test.for([
  ['SignUp', '{"ClientId":', 400, 'SerializationException'],
  ['SignUp', '[]', 400, 'SerializationException'],
  ['SignUp', '"text"', 400, 'SerializationException'],
  ['SignUp', 'null', 400, 'InvalidParameterException'],
  ['SignUp', '', 400, 'InvalidParameterException'],
  ['SignUp', { ClientId: clientId, Username: 1, Password: {} }, 400, 'SerializationException'],
  ['SignUp', { ClientId: clientId, Username: 'a b', Password: password }, 400, 'InvalidParameterException'],
  ['SignUp', { ClientId: 'nobody', Username: email, Password: password }, 400, 'ResourceNotFoundException'],
  ['InitiateAuth', { ClientId: clientId, AuthFlow: 'CUSTOM_AUTH' }, 400, 'InvalidParameterException'],
  ['InitiateAuth', { ClientId: clientId, AuthFlow: 'USER_SRP_AUTH' }, 400, 'InvalidParameterException'],
  [
    'RespondToAuthChallenge',
    { ClientId: clientId, ChallengeName: 'SMS_MFA' },
    400,
    'InvalidParameterException',
  ],
  ['GetUser', { AccessToken: '' }, 400, 'InvalidParameterException'],
  ['CreateUserPool', {}, 400, 'UnknownOperationException'],
  ['constructor', {}, 400, 'UnknownOperationException'],
  ['SignUp', 'x'.repeat(300_000), 413, 'RequestEntityTooLargeException'],
] as const)('%s with %j is refused with %i', async ([operation, body, status, error]) => {
  expect(await world.call(operation, body)).toMatchObject({ status, error });
});

test('unsupported properties are refused at start', () => {
  const service = world.restart();
  const pool = poolProperties;
  for (const properties of [
    { ...pool, MfaConfiguration: 'ON' },
    { ...pool, DeviceConfiguration: { ChallengeRequiredOnNewDevice: true } },
    {
      ...pool,
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }] },
    },
    { ...pool, LambdaConfig: { UserMigration: 'arn' } },
    { ...pool, LambdaConfig: { PreAuthentication: 'arn' } },
    { ...pool, VerificationMessageTemplate: { DefaultEmailOption: 'CONFIRM_WITH_LINK' } },
    {},
  ]) {
    expect(() => service.pools.putUserPool('us-east-1_Other', properties)).toThrow(
      /doesn't support user pool/,
    );
  }
  expect(() => service.pools.putUserPoolClient(poolId, 'secretive', { GenerateSecret: true })).toThrow(
    /client secretive/,
  );
});
