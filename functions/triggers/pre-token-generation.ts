import type { PreTokenGenerationTriggerEvent } from 'aws-lambda';
import { backgroundFunctions } from '../../schemas/background-functions.ts';
import { type AccountUse, accountUse } from '../adapters/dynamodb/user-plans/account-use.ts';
import { log } from '../runtime/log.ts';
import { metric } from '../runtime/metric.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies {
  use: AccountUse;
  /** Whether the pool's account can be signed in to with a provider. */
  hasProvider: (poolId: string, username: string) => Promise<boolean>;
}

/**
 * Cognito's pre-token-generation trigger. Cognito calls it for each sign-in and each renewal of a token, of
 * the site and of apps. Records that the account is in use, and leaves the tokens as they are.
 *
 * Throws only to refuse tokens of the hosted domain to an account that no provider opens. Ending all sessions
 * leaves the domain's cookie, which gives tokens for an hour without the provider, and codes that aren't
 * redeemed yet: whoever had linked a provider would come back after it was taken off.
 */
export const handlePreTokenGeneration =
  ({ use, hasProvider }: Dependencies, clock: () => Date = () => new Date()) =>
  async (event: PreTokenGenerationTriggerEvent): Promise<PreTokenGenerationTriggerEvent> => {
    const { sub, identities } = event.request.userAttributes;
    if (
      event.triggerSource === 'TokenGeneration_HostedAuth' &&
      // AWS doesn't document the attribute here for an account that has a password too.
      (identities ?? '[]') === '[]' &&
      !(await hasProvider(event.userPoolId, event.userName))
    ) {
      // The alarm on this function subtracts refusals from its errors.
      log.info('tokens-refused', { user: String(sub) });
      // Imported on demand: hardly a sign-in needs it.
      const { triggerRefusals } = await import('../../schemas/trigger-refusals.ts');
      throw new Error(triggerRefusals.providerTakenOff);
    }
    try {
      if (sub) await use.record(sub, clock());
    } catch (error) {
      log.error('use-not-recorded', { user: String(sub) }, error);
      metric('UnrecordedUses');
    }
    return event;
  };

export const handler = withEnvironment(backgroundFunctions['triggers/pre-token-generation'], (environment) =>
  handlePreTokenGeneration({
    use: accountUse(environment.USER_PLANS_TABLE),
    // Imported on demand: hardly a sign-in needs it.
    hasProvider: async (...account) =>
      (await import('../adapters/cognito/has-provider.ts')).hasProvider(...account),
  }),
);
