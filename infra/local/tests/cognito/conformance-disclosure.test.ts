import { signIn } from 'aws-amplify/auth';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientId, hours, password } from '../fixtures/cognito.ts';
import {
  quickClient,
  startConformanceCognito,
  type ConformanceCognito,
} from '../fixtures/conformance-cognito.ts';

// All begin with the same letters, so that Cognito masks all addresses alike.
const confirmed = 'ada@example.com';
const unconfirmed = 'anna@example.com';
const absent = 'alan@example.com';

describe('the case of an address', () => {
  let world: ConformanceCognito;
  beforeEach(async () => {
    world = await startConformanceCognito();
    return () => world.stop();
  });

  test('makes no difference between sign-up and sign-in', async () => {
    await world.signUp('Ada@Example.com');
    const resent = { ClientId: clientId, Username: 'ADA@EXAMPLE.COM' };
    expect((await world.call('ResendConfirmationCode', resent)).error).toBeUndefined();
    const ConfirmationCode = world.lastMail('Ada@Example.com').code;
    const confirm = { ClientId: clientId, Username: 'ada@EXAMPLE.com', ConfirmationCode };
    expect((await world.call('ConfirmSignUp', confirm)).error).toBeUndefined();
    expect((await signIn({ username: 'ADA@example.COM', password })).isSignedIn).toBe(true);
  });

  test.for(['before', 'after'])('makes no second account, %s the first is confirmed', async (when) => {
    if (when === 'after') await world.confirmedUser('Ada@Example.com');
    else await world.signUp('Ada@Example.com');
    for (const again of ['Ada@Example.com', 'ada@example.com', 'ADA@EXAMPLE.COM']) {
      expect(await world.signUp(again)).toMatchObject({
        status: 400,
        error: 'UsernameExistsException',
        message: 'An account with the given email already exists.',
      });
    }
  });

  test('makes no difference to administrators', async () => {
    await world.confirmedUser('Ada@Example.com');
    const users = await Promise.all(
      ['ada@example.com', 'ADA@EXAMPLE.COM'].map((Username) =>
        world.signed('AdminGetUser', { UserPoolId: 'us-east-1_Local0001', Username }),
      ),
    );
    expect(users[0]?.body.Username).toMatch(/^[\da-f-]{36}$/);
    expect(users[1]?.body.Username).toBe(users[0]?.body.Username);
  });

  test('gives no additional guesses', async () => {
    await world.confirmedUser(confirmed);
    const guess = (USERNAME: string) =>
      world.call('InitiateAuth', {
        ClientId: quickClient,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME, PASSWORD: 'wrong horse' },
      });
    for (const name of ['ada', 'ADA', 'Ada', 'aDA', 'adA']) await guess(`${name}@example.com`);
    expect((await guess('ADa@example.com')).message).toBe('Password attempts exceeded');
  });
});

describe('whether an address has an account', () => {
  let world: ConformanceCognito;
  beforeAll(async () => {
    world = await startConformanceCognito();
    await world.confirmedUser(confirmed);
    await world.signUp(unconfirmed);
    return () => world.stop();
  });
  // Every test starts with a full hour's attempts.
  beforeEach(() => world.clock.advance(hours(1)));

  /** A response, without the parts that differ in every response. */
  const answer = async (operation: string, body: unknown) => {
    const { status, headers, body: content } = await world.call(operation, body);
    return { status, headers: [...headers.keys()].toSorted(), content };
  };
  /** How many calls Amplify makes, and their result. */
  const amplify = async (run: () => Promise<unknown>) => {
    const real = globalThis.fetch;
    let calls = 0;
    globalThis.fetch = (input, init) => {
      calls += 1;
      return real(input, init);
    };
    try {
      const outcome = await run().catch((error: Error) => `${error.name}: ${error.message}`);
      return { outcome, calls };
    } finally {
      globalThis.fetch = real;
    }
  };

  test('is not revealed by a sign-in without the password', async () => {
    const attempt = (USERNAME: string) =>
      answer('InitiateAuth', {
        ClientId: quickClient,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME, PASSWORD: 'wrong horse' },
      });
    const known = await attempt(confirmed);
    expect(known.content).toEqual({
      __type: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    });
    expect(await attempt(absent)).toEqual(known);
  });

  test('is not revealed by the SRP challenge or the response to it', async () => {
    const challenge = (USERNAME: string) =>
      answer('InitiateAuth', {
        ClientId: clientId,
        AuthFlow: 'USER_SRP_AUTH',
        AuthParameters: { USERNAME, SRP_A: 'abcdef' },
      });
    const [known, unconfirmedChallenge, absentChallenge] = await Promise.all(
      [confirmed, unconfirmed, absent].map(challenge),
    );
    const shape = ({ content: { ChallengeParameters }, ...rest }: Awaited<ReturnType<typeof answer>>) => ({
      ...rest,
      // B's length varies by a digit or two.
      lengths: Object.entries<string>(ChallengeParameters).map(([name, text]) =>
        name === 'SRP_B' ? name : [name, text.length],
      ),
    });
    if (!known || !unconfirmedChallenge || !absentChallenge) throw new Error('A challenge got no answer.');
    expect(shape(unconfirmedChallenge)).toEqual(shape(known));
    expect(shape(absentChallenge)).toEqual(shape(known));
    const { SALT, USER_ID_FOR_SRP } = absentChallenge.content.ChallengeParameters;
    expect((await challenge(absent.toUpperCase())).content.ChallengeParameters).toMatchObject({
      SALT,
      USER_ID_FOR_SRP,
    });

    const respond = ({ content: { ChallengeParameters } }: typeof known) =>
      answer('RespondToAuthChallenge', {
        ClientId: clientId,
        ChallengeName: 'PASSWORD_VERIFIER',
        ChallengeResponses: {
          USERNAME: ChallengeParameters.USERNAME,
          PASSWORD_CLAIM_SECRET_BLOCK: ChallengeParameters.SECRET_BLOCK,
          PASSWORD_CLAIM_SIGNATURE: 'AAAA',
          TIMESTAMP: 'Sun Nov 1 10:00:00 UTC 2026',
        },
      });
    const end = await respond(known);
    expect(end).toMatchObject({ content: { __type: 'NotAuthorizedException' } });
    expect(await respond(absentChallenge)).toEqual(end);
  });

  test('does not change the number of calls that Amplify makes', async () => {
    const attempt = (username: string) => amplify(() => signIn({ username, password: 'wrong horse' }));
    const known = await attempt(confirmed);
    expect(known).toEqual({ outcome: 'NotAuthorizedException: Incorrect username or password.', calls: 2 });
    expect(await attempt(absent)).toEqual(known);
  });

  test('is not revealed by a new or a wrong confirmation code, for an unconfirmed account', async () => {
    const resend = (Username: string) => answer('ResendConfirmationCode', { ClientId: clientId, Username });
    expect(await resend(absent)).toEqual(await resend(unconfirmed));
    const confirm = (Username: string) =>
      answer('ConfirmSignUp', { ClientId: clientId, Username, ConfirmationCode: 'wrong!' });
    for (let guesses = 0; guesses < 6; guesses += 1) {
      expect(await confirm(absent)).toEqual(await confirm(unconfirmed));
    }
    expect(await confirm(absent)).toMatchObject({ content: { __type: 'LimitExceededException' } });
  });

  // "Managing user existence error responses": SignUp always says that a name is taken. If the email address
  // is the user name and not an alias, no setting of Cognito hides that.
  test('is revealed by signing up, which Cognito cannot hide', async () => {
    for (const username of [confirmed, unconfirmed]) {
      expect((await world.signUp(username)).error).toBe('UsernameExistsException');
    }
    expect((await world.signUp('anton@example.com')).error).toBeUndefined();
  });

  // The same page keeps these errors: NotAuthorizedException if already confirmed, InvalidParameterException
  // if no code is needed. SignUp reveals as much.
  test('and is confirmed is revealed by confirming it again', async () => {
    const named = { ClientId: clientId, Username: confirmed };
    const again = await world.call('ConfirmSignUp', { ...named, ConfirmationCode: '123456' });
    expect(again.error).toBe('NotAuthorizedException');
    expect((await world.call('ResendConfirmationCode', named)).error).toBe('InvalidParameterException');
  });
});

test('nobody resets a password at Cognito, whether the address has an account or not', async () => {
  const world = await startConformanceCognito();
  try {
    await world.confirmedUser(confirmed);
    const sent = world.mail.list().length;
    const refused = { error: 'NotAuthorizedException', message: 'Contact administrator to reset password.' };
    const guess = { ClientId: clientId, ConfirmationCode: '123456', Password: 'a newer one' };
    for (const Username of [confirmed, absent]) {
      expect(await world.refusal('ForgotPassword', { ClientId: clientId, Username })).toEqual(refused);
      for (let guesses = 0; guesses < 5; guesses += 1) {
        const { error } = await world.refusal('ConfirmForgotPassword', { ...guess, Username });
        expect(error).toBe('CodeMismatchException');
      }
      const { error } = await world.refusal('ConfirmForgotPassword', { ...guess, Username });
      expect(error).toBe('LimitExceededException');
    }
    expect((await world.tokens(confirmed)).AccessToken).toBeDefined();
    expect(world.mail.list()).toHaveLength(sent);
  } finally {
    await world.stop();
  }
});
