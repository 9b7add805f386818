import { getCurrentUser, signIn } from 'aws-amplify/auth';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clientId, minutes, password, startCognito, type CognitoStandIn } from '../fixtures/cognito.ts';

const email = 'ada@example.com';
const incorrect = { name: 'NotAuthorizedException', message: 'Incorrect username or password.' };

describe('signing in', () => {
  let world: CognitoStandIn;
  beforeEach(async () => {
    world = await startCognito();
  });
  afterEach(() => world.stop());

  test.for(['USER_SRP_AUTH', 'USER_PASSWORD_AUTH'] as const)(
    '%s lets the right password in',
    async (authFlowType) => {
      await world.confirmedUser(email);
      const result = await signIn({ username: email, password, options: { authFlowType } });
      expect(result).toEqual({ isSignedIn: true, nextStep: { signInStep: 'DONE' } });
      expect(await getCurrentUser()).toMatchObject({ signInDetails: { loginId: email, authFlowType } });
    },
  );

  test.for(['USER_SRP_AUTH', 'USER_PASSWORD_AUTH'] as const)(
    '%s says the same of a wrong password and of an unknown address',
    async (authFlowType) => {
      await world.confirmedUser(email);
      const options = { authFlowType };
      const wrong = { username: email, password: 'wrong horse', options };
      await expect(signIn(wrong)).rejects.toMatchObject(incorrect);
      await expect(signIn({ ...wrong, username: 'nobody@example.com' })).rejects.toMatchObject(incorrect);
    },
  );

  test.for(['USER_SRP_AUTH', 'USER_PASSWORD_AUTH'] as const)(
    '%s asks an unconfirmed user to confirm, only with the right password',
    async (authFlowType) => {
      await world.call('SignUp', { ClientId: clientId, Username: email, Password: password });
      const options = { authFlowType };
      const result = await signIn({ username: email, password, options });
      expect(result).toEqual({ isSignedIn: false, nextStep: { signInStep: 'CONFIRM_SIGN_UP' } });
      await expect(signIn({ username: email, password: 'wrong horse', options })).rejects.toMatchObject(
        incorrect,
      );
    },
  );

  test('the case of the address makes no difference', async () => {
    await world.confirmedUser('Ada@Example.com');
    expect((await signIn({ username: 'aDA@exAMPLE.com', password })).isSignedIn).toBe(true);
  });

  /** Signs in with SRP while `inspect` gets the proof on its way. */
  const signInSeen = async (seen: (proof: unknown) => void) => {
    const real = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      const target = new Headers(init?.headers).get('x-amz-target');
      const body = typeof init?.body === 'string' ? init.body : '{}';
      if (target?.endsWith('RespondToAuthChallenge')) seen(JSON.parse(body));
      return real(input, init);
    };
    try {
      return await signIn({ username: email, password });
    } finally {
      globalThis.fetch = real;
    }
  };

  test('a response to the challenge is valid once', async () => {
    await world.confirmedUser(email);
    let proof: unknown;
    expect((await signInSeen((body) => (proof = body))).isSignedIn).toBe(true);
    expect(await world.call('RespondToAuthChallenge', proof)).toMatchObject({
      error: 'NotAuthorizedException',
      message: 'Invalid session for the user.',
    });
  });

  test('a sign-in survives a restart', async () => {
    await world.confirmedUser(email);
    expect((await signInSeen(() => world.restart())).isSignedIn).toBe(true);
  });

  const challenge = (USERNAME: string, SRP_A = 'abcdef') =>
    world.call('InitiateAuth', {
      AuthFlow: 'USER_SRP_AUTH',
      ClientId: clientId,
      AuthParameters: { USERNAME, SRP_A },
    });

  test('the challenge for an unknown address looks real, and stays the same', async () => {
    await world.confirmedUser(email);
    const known = (await challenge(email)).body.ChallengeParameters;
    const unknown = (await challenge('nobody@example.com')).body.ChallengeParameters;
    const again = (await challenge('Nobody@example.com')).body.ChallengeParameters;
    expect(Object.keys(unknown)).toEqual(Object.keys(known));
    expect(unknown.SALT).toHaveLength(known.SALT.length);
    const shape = /^[\da-f]{8}-[\da-f]0[\da-f]1-70[\da-f]{2}-d[\da-f]{3}-[\da-f]{12}$/;
    for (const { USER_ID_FOR_SRP } of [known, unknown]) expect(USER_ID_FOR_SRP).toMatch(shape);
    expect(again).toMatchObject({ SALT: unknown.SALT, USER_ID_FOR_SRP: unknown.USER_ID_FOR_SRP });
  });

  test.for(['0', 'no number', '-1', 'f'.repeat(771)])('a public value of %s is refused', async (number) => {
    await world.confirmedUser(email);
    expect((await challenge(email, number)).error).toBe('InvalidParameterException');
  });

  test('a challenge has to be answered within three minutes', async () => {
    await world.confirmedUser(email);
    const { SECRET_BLOCK, USERNAME } = (await challenge(email)).body.ChallengeParameters;
    await world.clock.advance(minutes(3));
    const late = await world.call('RespondToAuthChallenge', {
      ClientId: clientId,
      ChallengeName: 'PASSWORD_VERIFIER',
      ChallengeResponses: {
        USERNAME,
        PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
        PASSWORD_CLAIM_SIGNATURE: 'AAAA',
        TIMESTAMP: 'Sun Nov 1 10:00:00 UTC 2026',
      },
    });
    expect(late.message).toBe('Invalid session for the user, session is expired.');
  });

  test.for([email, 'nobody@example.com'])('guessing the password of %s is slowed down', async (username) => {
    await world.confirmedUser(email);
    const guess = async () => (await world.signInRaw(username, 'wrong horse')).message;
    for (let failures = 0; failures < 10; failures += 1) {
      // Five are free. After each further failure the lock is twice as long.
      if (failures >= 5) await world.clock.advance(2 ** (failures - 5) * 1000);
      expect(await guess()).toBe(incorrect.message);
    }
    expect(await guess()).toBe('Password attempts exceeded');
    expect((await challenge(username)).message).toBe('Password attempts exceeded');
    await world.clock.advance(16_000);
    expect(await guess()).toBe('Password attempts exceeded');
    await world.clock.advance(16_000);
    expect(await guess()).toBe(incorrect.message);
  });

  test('a lock expires, and the right password resets the count', async () => {
    await world.confirmedUser(email);
    for (let attempt = 0; attempt < 5; attempt += 1) await world.signInRaw(email, 'wrong horse');
    await world.clock.advance(1000);
    expect((await world.signInRaw(email)).error).toBeUndefined();
    expect((await world.signInRaw(email, 'wrong horse')).message).toBe(incorrect.message);
    expect((await world.signInRaw(email)).error).toBeUndefined();
  });
});

describe('a client with fewer flows that reveals unknown users', () => {
  let world: CognitoStandIn;
  beforeEach(async () => {
    world = await startCognito({
      client: {
        ExplicitAuthFlows: ['ALLOW_REFRESH_TOKEN_AUTH'],
        RefreshTokenRotation: undefined,
        PreventUserExistenceErrors: 'LEGACY',
      },
    });
  });
  afterEach(() => world.stop());

  test('refuses flows that are not enabled', async () => {
    const withPassword = await world.signInRaw(email);
    expect(withPassword.message).toBe('USER_PASSWORD_AUTH flow not enabled for this client');
    await expect(signIn({ username: email, password: 'x' })).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: 'USER_SRP_AUTH is not enabled for the client.',
    });
  });

  test.for(['ForgotPassword', 'ResendConfirmationCode'])(
    '%s says that an address is unknown',
    async (operation) => {
      const answer = await world.call(operation, { ClientId: clientId, Username: 'nobody@example.com' });
      expect(answer).toMatchObject({
        error: 'UserNotFoundException',
        message: 'Username/client id combination not found.',
      });
    },
  );
});
