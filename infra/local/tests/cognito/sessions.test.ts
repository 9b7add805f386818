import { getCurrentUser, signIn } from 'aws-amplify/auth';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { clientId, password, poolId, startCognito, type CognitoStandIn } from '../fixtures/cognito.ts';

const email = 'ada@example.com';

describe('sessions', () => {
  let world: CognitoStandIn;
  beforeEach(async () => {
    world = await startCognito();
    await world.confirmedUser(email);
    return () => world.stop();
  });

  const signedIn = async () => (await world.signInRaw(email)).body.AuthenticationResult;

  test("tokens verify with the published keys and have Cognito's claims", async () => {
    const { AccessToken, IdToken, ExpiresIn, TokenType } = await signedIn();
    expect({ ExpiresIn, TokenType }).toEqual({ ExpiresIn: 900, TokenType: 'Bearer' });

    const issuer = `${world.origin}/${poolId}`;
    const discovery = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
    expect(discovery).toMatchObject({ issuer });
    const keys = createRemoteJWKSet(new URL((discovery as { jwks_uri: string }).jwks_uri));
    const access = (await jwtVerify(AccessToken, keys, { issuer, algorithms: ['RS256'] })).payload;
    const identity = (await jwtVerify(IdToken, keys, { issuer, audience: clientId })).payload;

    const uuid = expect.stringMatching(/^[\da-f-]{36}$/);
    const now = Math.floor(world.clock.now().getTime() / 1000);
    const seconds = expect.toSatisfy((moment: number) => moment > now - 10 && moment <= now);
    const common = {
      sub: uuid,
      iss: issuer,
      origin_jti: uuid,
      event_id: uuid,
      jti: uuid,
      auth_time: seconds,
      iat: seconds,
      exp: Number(access.iat) + 900,
    };
    expect(access).toEqual({
      ...common,
      client_id: clientId,
      token_use: 'access',
      scope: 'aws.cognito.signin.user.admin',
      username: access.sub,
    });
    expect(identity).toEqual({
      ...common,
      aud: clientId,
      token_use: 'id',
      'cognito:username': access.sub,
      email,
      email_verified: true,
      name: 'Ada',
    });
    expect(identity.origin_jti).toBe(access['origin_jti']);
  });

  test('no stored value can sign in', async () => {
    const { AccessToken, RefreshToken } = await signedIn();
    await signIn({ username: email, password });
    const kept = ['users', 'sessions', 'refresh-tokens', 'codes', 'challenges'].map((name) =>
      JSON.stringify(world.store.collection(`cognito/${name}`).list()),
    );
    for (const secret of [password, AccessToken, RefreshToken]) expect(kept.join()).not.toContain(secret);
  });
});

const incorrect = { name: 'NotAuthorizedException', message: 'Incorrect username or password.' };

describe('signing in', () => {
  let world: CognitoStandIn;
  beforeEach(async () => {
    world = await startCognito();
    return () => world.stop();
  });

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
});
