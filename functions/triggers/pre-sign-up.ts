import type { PreSignUpTriggerEvent } from 'aws-lambda';
import { backgroundFunctions } from '../../schemas/environment.ts';
import { refusals } from '../../schemas/refusal.ts';
import { cognitoUserPool, type UserPool } from '../adapters/cognito/user-pool.ts';
import { type Mail, sesMail } from '../adapters/ses.ts';
import {
  type Account,
  accountToLink,
  type Identity,
  isTakenByProvider,
  readProviderProfile,
} from '../domain/account-linking.ts';
import { providerLinkedEmail } from '../emails/provider-linked.ts';
import { log } from '../runtime/log.ts';
import { notify } from '../runtime/notify.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

/** Cognito's own sentence for an address that has an account. */
const ADDRESS_TAKEN = 'An account with the given email already exists.';

/** Cognito shows the user what a trigger throws. */
class SignUpRefused extends Error {}

interface Dependencies {
  users: (poolId: string) => Pool;
  mail: Mail;
  /** The site's origin. */
  siteUrl: string;
}

type Pool = Pick<UserPool, 'findByEmail' | 'link'>;

/**
 * Cognito's pre-sign-up trigger. Links the profile of a provider to the account with the same verified
 * address, and mails the account's owner the first time. Refuses a sign-up with a password for an address of
 * a provider's account. Confirms no account and verifies no address: the code in the mail does that, or the
 * provider. Cognito may call it up to three times for one sign-up.
 */
export const handlePreSignUp =
  ({ users, mail, siteUrl }: Dependencies, clock: () => Date = () => new Date()) =>
  async (event: PreSignUpTriggerEvent): Promise<PreSignUpTriggerEvent> => {
    const { triggerSource } = event;
    try {
      const pool = users(event.userPoolId);
      switch (triggerSource) {
        case 'PreSignUp_SignUp':
          await checkPasswordSignUp(pool, event);
          break;
        case 'PreSignUp_ExternalProvider': {
          const linked = await linkProfile(pool, event);
          if (!linked) break;
          const { account, identity } = linked;
          const { provider } = identity;
          log.info('account-linked', { account: account.username, provider });
          await notify(mail, account.email, providerLinkedEmail({ provider, siteUrl, at: clock() }));
          break;
        }
        case 'PreSignUp_AdminCreateUser':
          // Administrators may create any account.
          break;
      }
      return event;
    } catch (error) {
      // The alarm on this function subtracts refusals from its errors.
      if (error instanceof SignUpRefused) {
        log.info('sign-up-refused', { triggerSource, sentence: error.message });
        throw error;
      }
      log.error('sign-up-failed', { triggerSource }, error);
      throw new Error(refusals.internal.sentence, { cause: error });
    }
  };

async function checkPasswordSignUp(pool: Pool, { request }: PreSignUpTriggerEvent): Promise<void> {
  const email = request.userAttributes['email'];
  if (email && isTakenByProvider(email, await pool.findByEmail(email))) {
    throw new SignUpRefused(ADDRESS_TAKEN);
  }
}

/**
 * Resolves with the account if this call linked it: Cognito's second and third call find it linked already.
 */
async function linkProfile(
  pool: Pool,
  { userName, request }: PreSignUpTriggerEvent,
): Promise<{ account: Account; identity: Identity } | undefined> {
  const profile = readProviderProfile(userName, request.userAttributes);
  if (profile.kind === 'refused') throw new SignUpRefused(profile.sentence);
  const { email, identity } = profile;
  const account = accountToLink(profile, await pool.findByEmail(email));
  return account && (await pool.link(identity, account)) ? { account, identity } : undefined;
}

export const handler = withEnvironment(backgroundFunctions['triggers/pre-sign-up'], (environment) =>
  handlePreSignUp({
    users: cognitoUserPool,
    mail: sesMail(environment),
    siteUrl: environment.SITE_URL,
  }),
);
