import type { PostConfirmationTriggerEvent } from 'aws-lambda';
import { backgroundFunctions } from '../../schemas/background-functions.ts';
import type { LogEvents } from '../../schemas/config/log-events.ts';
import { BROWSER_ATTRIBUTE, BROWSER_SECRET } from '../../schemas/sign-up-browser.ts';
import { triggerRefusals } from '../../schemas/trigger-refusals.ts';
import { claimAddress } from '../accounts/address-ownership.ts';
import { noteSessionsEnded } from '../accounts/end-sessions.ts';
import { mailPasswordChanged, type PasswordMailDependencies } from '../notices/mail-password-changed.ts';
import { cognitoUserPool, type UserPool } from '../adapters/cognito/user-pool.ts';
import { type Addresses, addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { noticeLimits } from '../adapters/dynamodb/user-plans/notice-limits.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import { type SessionEnds, sessionEnds } from '../adapters/dynamodb/user-plans/session-ends.ts';
import { storedAddressChanges } from '../adapters/dynamodb/stored-address-changes.ts';
import { sesMail } from '../adapters/ses.ts';
import { identityOf } from '../domain/account-linking.ts';
import { log } from '../runtime/log.ts';
import { metric } from '../runtime/metric.ts';
import { sameText } from '../runtime/same-text.ts';
import { sha256 } from '../runtime/sha256.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

/** A refusal. Cognito shows the user the message that a trigger throws. */
class ConfirmationRefused extends Error {}

interface Dependencies extends PasswordMailDependencies {
  planTable: Pick<PlansTable, 'open'>;
  sessionEnds: Pick<SessionEnds, 'noteAll'>;
  addresses: Addresses;
  users: (poolId: string) => Pool;
  /** Makes the account's password and name worth nothing. */
  discardSignUp: (poolId: string, username: string) => Promise<void>;
}

type Pool = Pick<UserPool, 'endSessions' | 'find' | 'remove'>;

/**
 * Cognito's post-confirmation trigger. Assigns the address to a new account and creates its Free plan. If
 * another account has the address by now, the new account is deleted: one address never has two confirmed
 * accounts. Cognito also calls the trigger for the first sign-in with a provider.
 *
 * Before that, discards the password and name of an account that was confirmed without the secret of the
 * browser that signed up (`schemas/sign-up-browser.ts`). A caller with another browser's secret is refused
 * afterward, and so learns that it has to choose a password. If Cognito can't discard them, the account is
 * deleted.
 *
 * After a password reset the trigger ends all sessions and mails the owner: a stolen session may be the
 * reason for the reset, and Cognito ends none. The first session with the new password begins later, because
 * Cognito waits for the trigger. The reset is already done, so a failure here is logged and not thrown.
 *
 * Cognito may call the trigger several times for one event: claim and row then stay as they are.
 */
export const handlePostConfirmation =
  (
    { planTable, sessionEnds: ends, addresses, users, discardSignUp, ...mailing }: Dependencies,
    clock: () => Date = () => new Date(),
  ) =>
  async (event: PostConfirmationTriggerEvent): Promise<PostConfirmationTriggerEvent> => {
    const { sub, email } = event.request.userAttributes;
    const pool = users(event.userPoolId);
    switch (event.triggerSource) {
      case 'PostConfirmation_ConfirmSignUp': {
        const secret = event.request.clientMetadata?.[BROWSER_SECRET];
        const keeps = keepsPassword(event, secret);
        if (!keeps) await discardOrRemove(pool, event, discardSignUp);
        await claimOrRemove({ pool, addresses }, event);
        if (sub) await planTable.open(sub, clock());
        metric('SignUps');
        if (!keeps && secret !== undefined) {
          throw refusalOf(event, 'password-discarded', triggerRefusals.passwordDiscarded);
        }
        break;
      }
      case 'PostConfirmation_ConfirmForgotPassword':
        // In parallel: the trigger has five seconds for all.
        await Promise.all([
          endSessions(pool, event.userName),
          sub && noteSessionsEnded(ends, sub, clock()),
          mailPasswordChanged(mailing, { id: sub, email }, { at: clock() }),
        ]);
        break;
    }
    return event;
  };

async function claimOrRemove(
  { pool, addresses }: { pool: Pool; addresses: Addresses },
  { userName, request }: PostConfirmationTriggerEvent,
): Promise<void> {
  const { email, email_verified } = request.userAttributes;
  // Support can confirm an account without proof of its address.
  if (!email || email_verified !== 'true') return;
  const claim = await claimAddress({ pool, addresses }, email, userName);
  if (claim.kind === 'claimed') return;
  await pool.remove(userName);
  throw refusalOf(
    { userName },
    claim.kind,
    claim.kind === 'taken' ? triggerRefusals.addressProved : triggerRefusals.signUpAgain,
  );
}

/** The alarm on this function subtracts refusals from its errors. */
function refusalOf(
  { userName }: Pick<PostConfirmationTriggerEvent, 'userName'>,
  because: LogEvents['confirmation-refused']['because'],
  sentence: string,
): ConfirmationRefused {
  log.info('confirmation-refused', { account: userName, because });
  return new ConfirmationRefused(sentence);
}

/**
 * Whether the browser that signed up has confirmed the account. A provider's account has no password, and an
 * account that support confirms has no proved address.
 */
function keepsPassword(
  { userName, request }: PostConfirmationTriggerEvent,
  secret: string | undefined,
): boolean {
  const { email_verified, [BROWSER_ATTRIBUTE]: hash } = request.userAttributes;
  if (identityOf(userName) || email_verified !== 'true') return true;
  if (secret === undefined || hash === undefined) return false;
  return sameText(sha256(secret), hash);
}

async function discardOrRemove(
  pool: Pool,
  { userPoolId, userName }: PostConfirmationTriggerEvent,
  discardSignUp: Dependencies['discardSignUp'],
): Promise<void> {
  try {
    await discardSignUp(userPoolId, userName);
    // A session may have begun between the confirmation and now.
    await pool.endSessions(userName);
  } catch (error) {
    await pool.remove(userName);
    throw error;
  }
}

async function endSessions(pool: Pick<UserPool, 'endSessions'>, username: string): Promise<void> {
  try {
    await pool.endSessions(username);
  } catch (error) {
    log.error('sessions-not-ended', { user: username }, error);
  }
}

export const handler = withEnvironment(backgroundFunctions['triggers/post-confirmation'], (environment) =>
  handlePostConfirmation({
    planTable: plansTable(environment.USER_PLANS_TABLE),
    sessionEnds: sessionEnds(environment.USER_PLANS_TABLE),
    addresses: addressesTable(environment.ADDRESSES_TABLE),
    notices: noticeLimits(environment.USER_PLANS_TABLE),
    addressChanges: storedAddressChanges(environment.ADDRESS_CHANGES_TABLE),
    mail: sesMail(environment),
    users: cognitoUserPool,
    // Imported on demand: few users confirm in another browser.
    discardSignUp: async (poolId, username) => {
      const { cognitoAccountPool } = await import('../adapters/cognito/account-pool.ts');
      const pool = cognitoAccountPool(poolId);
      await Promise.all([pool.discardPassword(username), pool.deleteName(username)]);
    },
    siteUrl: environment.SITE_URL,
  }),
);
