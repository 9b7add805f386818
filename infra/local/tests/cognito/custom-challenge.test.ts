import { beforeEach, expect, test } from 'vitest';
import { clientId, minutes, startCognito, type CognitoStandIn } from '../fixtures/cognito.ts';

const email = 'ada@example.com';
const incorrect = { error: 'NotAuthorizedException', message: 'Incorrect username or password.' };

let world: CognitoStandIn;
beforeEach(async () => {
  world = await startCognito({
    client: { ExplicitAuthFlows: ['ALLOW_CUSTOM_AUTH', 'ALLOW_USER_PASSWORD_AUTH'] },
    triggers: {
      DefineAuthChallenge: (event) => {
        const [last] = (event.request['session'] as { challengeResult: boolean }[]).slice(-1);
        const issueTokens = last?.challengeResult === true;
        const failAuthentication = last?.challengeResult === false;
        return { ...event, response: { challengeName: 'CUSTOM_CHALLENGE', issueTokens, failAuthentication } };
      },
      CreateAuthChallenge: (event) => ({
        ...event,
        response: { publicChallengeParameters: { hint: 'h' }, privateChallengeParameters: { answer: 'yes' } },
      }),
      VerifyAuthChallengeResponse: ({ request, ...event }) => {
        const { answer } = request['privateChallengeParameters'] as { answer: string };
        const answerCorrect = request['userNotFound'] === false && request['challengeAnswer'] === answer;
        return { ...event, response: { answerCorrect } };
      },
    },
  });
  await world.confirmedUser(email);
  return () => world.stop();
});

const begin = (USERNAME = email) =>
  world.call('InitiateAuth', { AuthFlow: 'CUSTOM_AUTH', ClientId: clientId, AuthParameters: { USERNAME } });
const answer = (Session: unknown, ANSWER: string) =>
  world.call('RespondToAuthChallenge', {
    ClientId: clientId,
    ChallengeName: 'CUSTOM_CHALLENGE',
    ChallengeResponses: { USERNAME: email, ANSWER },
    Session,
  });

test('the right answer signs in, and each trigger gets the event that Cognito would send it', async () => {
  const { body } = await begin();
  const { sub } = (world.events.at(-1)?.request['userAttributes'] ?? {}) as { sub?: string };
  expect(body).toEqual({
    ChallengeName: 'CUSTOM_CHALLENGE',
    ChallengeParameters: { USERNAME: sub, hint: 'h' },
    Session: expect.stringMatching(/^.{20,2048}$/),
  });
  const { AuthenticationResult } = (await answer(body.Session, 'yes')).body;
  const { body: user } = await world.call('GetUser', { AccessToken: AuthenticationResult.AccessToken });
  expect(user.Username).toBe(sub);
  const challengeResult = { challengeName: 'CUSTOM_CHALLENGE', challengeResult: true };
  const made = { privateChallengeParameters: { answer: 'yes' }, challengeAnswer: 'yes' };
  expect(world.events.map(({ triggerSource, request }) => [triggerSource, request])).toMatchObject([
    ['DefineAuthChallenge_Authentication', { session: [], userNotFound: false }],
    ['CreateAuthChallenge_Authentication', { challengeName: 'CUSTOM_CHALLENGE', session: [] }],
    ['VerifyAuthChallengeResponse_Authentication', { userAttributes: { sub, email }, ...made }],
    ['DefineAuthChallenge_Authentication', { session: [challengeResult] }],
  ]);
});

test('a wrong answer, an unknown user, and a second or late answer do not', async () => {
  expect(await answer((await begin()).body.Session, 'no')).toMatchObject(incorrect);
  const unknown = (await begin('nobody@example.com')).body;
  expect(unknown.ChallengeName).toBe('CUSTOM_CHALLENGE');
  expect(await answer(unknown.Session, 'yes')).toMatchObject(incorrect);
  const { Session } = (await begin()).body;
  expect((await answer(Session, 'yes')).error).toBeUndefined();
  expect((await answer(Session, 'yes')).message).toBe('Invalid session for the user.');
  const late = (await begin()).body.Session;
  await world.clock.advance(minutes(3));
  expect((await answer(late, 'yes')).message).toBe('Invalid session for the user, session is expired.');
});

test('works while wrong passwords lock the account', async () => {
  for (let tries = 0; tries < 8; tries += 1) await world.signInRaw(email, 'wrong');
  expect((await world.signInRaw(email)).message).toBe('Password attempts exceeded');
  expect((await answer((await begin()).body.Session, 'yes')).error).toBeUndefined();
});

test('is refused to an unconfirmed user, and in a pool without the triggers', async () => {
  const Username = 'new@example.com';
  await world.call('SignUp', { ClientId: clientId, Username, Password: 'correct horse' });
  const { Session } = (await begin(Username)).body;
  expect((await answer(Session, 'yes')).error).toBe('UserNotConfirmedException');
  await world.stop();
  world = await startCognito({ client: { ExplicitAuthFlows: ['ALLOW_CUSTOM_AUTH'] } });
  expect(await begin()).toMatchObject({
    error: 'InvalidParameterException',
    message: 'Custom auth lambda trigger is not configured for the user pool.',
  });
});
