import type {
  CreateAuthChallengeTriggerEvent,
  DefineAuthChallengeTriggerEvent,
  VerifyAuthChallengeResponseTriggerEvent,
} from 'aws-lambda';
import { backgroundFunctions } from '../../schemas/background-functions.ts';
import { moments, proofs } from '../adapters/tables.ts';
import { isVoid } from '../domain/account-moment.ts';
import { log } from '../runtime/log.ts';
import { readCounted } from '../runtime/read-counted.ts';
import { type Made, withAdapters } from '../runtime/with-environment.ts';

const adapters = { proofs, moments };
type Dependencies = Made<typeof adapters>;

type ChallengeEvent =
  | DefineAuthChallengeTriggerEvent
  | CreateAuthChallengeTriggerEvent
  | VerifyAuthChallengeResponseTriggerEvent;

/**
 * Cognito's three triggers of a custom sign-in. The challenge is a ticket, which our routes give in exchange
 * for a mailed link. It signs in to its own account, once. An unknown user gets the same challenge, so that
 * it tells nobody who has an account. After five seconds Cognito calls again, and the ticket is used up: the
 * user signs in with the password.
 */
export const handleSignInByTicket =
  (dependencies: Dependencies, clock: () => Date = () => new Date()) =>
  async (event: ChallengeEvent): Promise<ChallengeEvent> => {
    switch (event.triggerSource) {
      case 'DefineAuthChallenge_Authentication': {
        const { session } = event.request;
        // Other challenges can be in the list: a client may begin with the arithmetic of passwords.
        const isProved =
          session.length === 1 &&
          session[0]?.challengeName === 'CUSTOM_CHALLENGE' &&
          session[0].challengeResult;
        event.response = {
          challengeName: 'CUSTOM_CHALLENGE',
          issueTokens: isProved,
          failAuthentication: session.length > 0 && !isProved,
        };
        break;
      }
      case 'CreateAuthChallenge_Authentication':
        event.response = {
          publicChallengeParameters: {},
          privateChallengeParameters: {},
          challengeMetadata: 'TICKET',
        };
        break;
      case 'VerifyAuthChallengeResponse_Authentication': {
        const { challengeAnswer: ticket, userAttributes } = event.request;
        const { sub } = userAttributes;
        event.response.answerCorrect = await redeemTicket(dependencies, ticket, sub, clock());
      }
    }
    return event;
  };

async function redeemTicket(
  { proofs: tickets, ...of }: Dependencies,
  ticket: string,
  user: string | undefined,
  now: Date,
): Promise<boolean> {
  const proof = await tickets.read(ticket, 'sign-in', now);
  const { moment } = await readCounted(of.moments, user);
  const counts =
    proof !== undefined &&
    proof.account === user &&
    !isVoid(moment, proof.created_at) &&
    (await tickets.remove(ticket));
  if (!counts) log.info('ticket-refused', { user: user ?? null });
  return counts;
}

export const handler = withAdapters(
  backgroundFunctions['triggers/sign-in-by-ticket'],
  adapters,
  handleSignInByTicket,
);
