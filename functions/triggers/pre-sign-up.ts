import { backgroundFunctions } from '../../schemas/environment.ts';
import type { PreSignUpTriggerEvent } from 'aws-lambda';
import { refusals } from '../../schemas/refusal.ts';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { cognitoUserPool, type UserPool } from '../adapters/cognito/user-pool.ts';
import {
  type Account,
  introduction,
  isTakenByProvider,
  joining,
  type Provider,
} from '../domain/account-linking.ts';
import { providerJoinedEmail } from '../emails/provider-linked.ts';
import { withEnvironment } from '../runtime/with-environment.ts';
import { log } from '../runtime/log.ts';
import { notify } from '../runtime/notify.ts';

/** Cognito's own sentence for an address that has an account. */
const TAKEN = 'An account with the given email already exists.';

/** Told to the person: Cognito shows what a trigger throws. */
class SignUpRefused extends Error {}

interface Dependencies {
  users: (poolId: string) => Pool;
  mail: Mail;
  /** The site's origin. */
  siteUrl: string;
}

type Pool = Pick<UserPool, 'findByEmail' | 'link'>;

/**
 * Says whether somebody who comes by a provider joins the account of the same address, and keeps passwords from an address that a
 * provider's account holds. The owner of an account that is joined is told by mail, at its address, the first time. Confirms nobody and verifies nothing: that is for the mail's code, or for the provider. Cognito may call
 * it up to three times for one sign-up.
 */
export const admit =
  ({ users, mail, siteUrl }: Dependencies, clock: () => Date = () => new Date()) =>
  async (event: PreSignUpTriggerEvent): Promise<PreSignUpTriggerEvent> => {
    const { triggerSource } = event;
    try {
      const pool = users(event.userPoolId);
      switch (triggerSource) {
        case 'PreSignUp_SignUp':
          await admitWithPassword(pool, event);
          break;
        case 'PreSignUp_ExternalProvider': {
          const joined = await admitByProvider(pool, event);
          if (!joined) break;
          const { account, provider } = joined;
          log.info('account-linked', { account: account.username, provider });
          await notify(mail, account.email, providerJoinedEmail({ provider, siteUrl, at: clock() }));
          break;
        }
        case 'PreSignUp_AdminCreateUser':
          // Whoever may do this may do anything.
          break;
      }
      return event;
    } catch (error) {
      if (error instanceof SignUpRefused) {
        log.info('sign-up-refused', { triggerSource, sentence: error.message });
        throw error;
      }
      log.error('sign-up-failed', { triggerSource }, error);
      throw new Error(refusals.internal.sentence, { cause: error });
    }
  };

async function admitWithPassword(pool: Pool, { request }: PreSignUpTriggerEvent): Promise<void> {
  const email = request.userAttributes['email'];
  if (email && isTakenByProvider(email, await pool.findByEmail(email))) throw new SignUpRefused(TAKEN);
}

/** Resolves with the account that was joined just now, if one was, and by whom. */
async function admitByProvider(
  pool: Pool,
  { userName, request }: PreSignUpTriggerEvent,
): Promise<{ account: Account; provider: Provider } | undefined> {
  const introduced = introduction(userName, request.userAttributes);
  if (introduced.kind === 'refuse') throw new SignUpRefused(introduced.sentence);
  const decision = joining(introduced, await pool.findByEmail(introduced.email));
  if (decision.kind === 'separate') return undefined;
  const { account } = decision;
  // Cognito's second and third call find it done.
  const isNew = await pool.link(introduced.identity, account);
  return isNew ? { account, provider: introduced.identity.provider } : undefined;
}

export const handler = withEnvironment(backgroundFunctions['triggers/pre-sign-up'], (environment) =>
  admit({
    users: cognitoUserPool,
    mail: sesMail(environment),
    siteUrl: environment.SITE_URL,
  }),
);
