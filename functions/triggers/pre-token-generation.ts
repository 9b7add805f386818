import type { PreTokenGenerationTriggerEvent } from 'aws-lambda';
import { backgroundFunctions } from '../../schemas/background-functions.ts';
import type { LogEvents } from '../../schemas/config/log-events.ts';
import type { triggerRefusals } from '../../schemas/trigger-refusals.ts';
import type { followAt } from '../accounts/provider-address-adapters.ts';
import { type AccountUse, accountUse } from '../adapters/dynamodb/user-plans/account-use.ts';
import { asciiLowerCase } from '../domain/ascii-lower-case.ts';
import { attempt } from '../runtime/attempt.ts';
import { log } from '../runtime/log.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies {
  use: AccountUse;
  /** Whether the pool's account can be signed in to with a provider. */
  hasProvider: (poolId: string, username: string) => Promise<boolean>;
  /** The user name of the account that has claimed the address. */
  ownerOf: (email: string) => Promise<string | undefined>;
  followAddress: ReturnType<typeof followAt>;
}

/**
 * Cognito's pre-token-generation trigger, for each sign-in and each renewal of a token. Records that the
 * account is in use. An address that a provider has brought is asked about by mail, and not in the token.
 *
 * Throws only to refuse tokens:
 *
 * - of the hosted domain to an account that no provider opens. Its cookie outlives all sessions: whoever had
 *   linked a provider would come back within an hour after it was taken off;
 * - to an account with a password whose confirmation didn't finish, which discards a stranger's password;
 * - of a sign-in with a provider to an account without an address, if another account has the provider's.
 */
export const handlePreTokenGeneration =
  ({ use, hasProvider, ownerOf, followAddress }: Dependencies, clock: () => Date = () => new Date()) =>
  async (event: PreTokenGenerationTriggerEvent): Promise<PreTokenGenerationTriggerEvent> => {
    const { triggerSource, userName, userPoolId } = event;
    const { sub, identities, email, email_verified } = event.request.userAttributes;
    const isHosted = triggerSource === 'TokenGeneration_HostedAuth';
    if (
      isHosted &&
      // AWS doesn't document the attribute here for an account that has a password too.
      (identities ?? '[]') === '[]' &&
      !(await hasProvider(userPoolId, userName))
    ) {
      throw await refusalOf(sub, 'provider-taken-off', ({ providerTakenOff }) => providerTakenOff);
    }
    const now = clock();
    if (!sub) return event;
    const used = await attempt('use-not-recorded', { user: sub }, async () => ({
      row: await use.record(sub, now),
    }));
    if (!used) return event;
    const { row } = used;
    if (isHosted) {
      const emailVerified = email_verified === 'true';
      if (!email || (emailVerified && row?.address === asciiLowerCase(email))) return event;
      const signIn = { id: sub, username: userName, email, emailVerified };
      const followed = await attempt('address-not-followed', { user: sub }, () =>
        followAddress(userPoolId, signIn, now),
      );
      const { address, refused } = followed ?? {};
      if (refused !== undefined) throw await refusalOf(sub, 'address-taken', () => refused);
      if (address !== undefined) {
        event.response.claimsOverrideDetails = { claimsToAddOrOverride: { email: address } };
      }
    } else if (!row && userName === sub && (!email || (await ownerOf(email)) !== userName)) {
      throw await refusalOf(sub, 'unfinished', ({ confirmationUnfinished }) => confirmationUnfinished);
    }
    return event;
  };

/** Cognito shows the user the message. The alarm on this function subtracts refusals from its errors. */
async function refusalOf(
  sub: string | undefined,
  because: LogEvents['tokens-refused']['because'],
  sentenceIn: (sentences: typeof triggerRefusals) => string,
): Promise<Error> {
  log.info('tokens-refused', { user: String(sub), because });
  // Imported on demand: hardly a sign-in needs it.
  const { triggerRefusals } = await import('../../schemas/trigger-refusals.ts');
  return new Error(sentenceIn(triggerRefusals));
}

export const handler = withEnvironment(backgroundFunctions['triggers/pre-token-generation'], (environment) =>
  handlePreTokenGeneration({
    use: accountUse(environment.USER_PLANS_TABLE),
    // Imported on demand: hardly a sign-in needs these.
    hasProvider: async (...account) =>
      (await import('../adapters/cognito/has-provider.ts')).hasProvider(...account),
    ownerOf: async (email) =>
      (await import('../adapters/dynamodb/addresses-table.ts'))
        .addressesTable(environment.ADDRESSES_TABLE)
        .ownerOf(email),
    followAddress: async (...signIn) =>
      (await import('../accounts/provider-address-adapters.ts')).followAt(environment)(...signIn),
  }),
);
