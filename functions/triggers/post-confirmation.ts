import type { PostConfirmationTriggerEvent } from 'aws-lambda';
import { backgroundFunctions } from '../../schemas/background-functions.ts';
import type { LogEvents } from '../../schemas/config/log-events.ts';
import { BROWSER_ATTRIBUTE, BROWSER_SECRET } from '../../schemas/sign-up-browser.ts';
import { triggerRefusals } from '../../schemas/trigger-refusals.ts';
import { signedUpIn } from '../accounts/signed-up-in.ts';
import { claimAddress } from '../accounts/address-ownership.ts';
import type { Uses } from '../adapters/adapters.ts';
import { cognitoUserPool } from '../adapters/cognito/user-pool.ts';
import { addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { plansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import { identityOf } from '../domain/account-linking.ts';
import { asciiLowerCase } from '../domain/ascii-lower-case.ts';
import { log } from '../runtime/log.ts';
import { metric } from '../runtime/metric.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

/** A refusal. Cognito shows the user the message that a trigger throws. */
class ConfirmationRefused extends Error {}

interface Dependencies extends Uses<'planTable' | 'addresses'> {
  users: (poolId: string) => Pool;
  /** Makes the account's password and name worth nothing. */
  discardSignUp: (poolId: string, username: string) => Promise<void>;
}

type Pool = Uses<'pool'>['pool'];

/**
 * Cognito's post-confirmation trigger. Assigns the address to a new account and creates its Free plan. If
 * another account has the address by now, the new account is deleted: one address never has two confirmed
 * accounts. Cognito also calls the trigger for the first sign-in with a provider.
 *
 * Before that, discards the password and name of an account that was confirmed without the secret of the
 * browser that signed up (`schemas/sign-up-browser.ts`), or deletes it. A caller with another browser's
 * secret is refused afterward, and so learns that it has to choose a password.
 *
 * Cognito may call the trigger several times for one event: claim and row then stay as they are.
 */
export const handlePostConfirmation =
  ({ planTable, addresses, users, discardSignUp }: Dependencies, clock: () => Date = () => new Date()) =>
  async (event: PostConfirmationTriggerEvent): Promise<PostConfirmationTriggerEvent> => {
    const { sub } = event.request.userAttributes;
    const pool = users(event.userPoolId);
    if (event.triggerSource === 'PostConfirmation_ConfirmSignUp') {
      const secret = event.request.clientMetadata?.[BROWSER_SECRET];
      const keeps = keepsPassword(event, secret);
      if (!keeps) await discardOrRemove(pool, event, discardSignUp);
      await claimOrRemove({ pool, addresses }, event);
      const known = { address: provedAddress(event), made_by: identityOf(event.userName)?.provider };
      if (sub) await planTable.open(sub, clock(), known);
      metric('SignUps');
      if (!keeps && secret !== undefined) {
        throw refusalOf(event, 'password-discarded', triggerRefusals.passwordDiscarded);
      }
    }
    return event;
  };

/** Undefined for an account that support has confirmed without proof of its address. */
const provedAddress = ({ request }: PostConfirmationTriggerEvent): string | undefined => {
  const { email, email_verified } = request.userAttributes;
  return email && email_verified === 'true' ? asciiLowerCase(email) : undefined;
};

async function claimOrRemove(
  { pool, addresses }: Uses<'pool' | 'addresses'>,
  event: PostConfirmationTriggerEvent,
): Promise<void> {
  const { userName } = event;
  const { addressProved, signUpAgain } = triggerRefusals;
  const address = provedAddress(event);
  if (address === undefined) return;
  const claim = await claimAddress({ pool, addresses }, address, userName);
  if (claim.kind === 'claimed') return;
  await pool.remove(userName);
  throw refusalOf(event, claim.kind, claim.kind === 'taken' ? addressProved : signUpAgain);
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
function keepsPassword({ userName, request }: PostConfirmationTriggerEvent, secret: string | undefined) {
  const { email_verified, [BROWSER_ATTRIBUTE]: hash } = request.userAttributes;
  if (identityOf(userName) || email_verified !== 'true') return true;
  return secret !== undefined && signedUpIn(secret, { browserHash: hash });
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

export const handler = withEnvironment(backgroundFunctions['triggers/post-confirmation'], (environment) =>
  handlePostConfirmation({
    planTable: plansTable(environment.USER_PLANS_TABLE),
    addresses: addressesTable(environment.ADDRESSES_TABLE),
    users: cognitoUserPool,
    // Imported on demand: few users confirm in another browser.
    discardSignUp: async (poolId, username) => {
      const { cognitoAccountPool } = await import('../adapters/cognito/account-pool.ts');
      const pool = cognitoAccountPool(poolId);
      await Promise.all([pool.discardPassword(username), pool.deleteName(username)]);
    },
  }),
);
