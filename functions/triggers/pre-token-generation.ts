import type { PreTokenGenerationTriggerEvent } from 'aws-lambda';
import { backgroundFunctions } from '../../schemas/config/environment.ts';
import { type AccountUse, accountUse } from '../adapters/dynamodb/account-use.ts';
import { log } from '../runtime/log.ts';
import { metric } from '../runtime/metric.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

/**
 * Cognito's pre-token-generation trigger. Cognito calls it for each sign-in and each renewal of a token, of
 * the site and of apps. Records that the account is in use, and leaves the tokens as they are.
 *
 * Never throws: Cognito would refuse the sign-in.
 */
export const handlePreTokenGeneration =
  ({ use }: { use: AccountUse }, clock: () => Date = () => new Date()) =>
  async (event: PreTokenGenerationTriggerEvent): Promise<PreTokenGenerationTriggerEvent> => {
    const { sub } = event.request.userAttributes;
    try {
      if (sub) await use.record(sub, clock());
    } catch (error) {
      log.error('use-not-recorded', { user: String(sub) }, error);
      metric('UnrecordedUses');
    }
    return event;
  };

export const handler = withEnvironment(backgroundFunctions['triggers/pre-token-generation'], (environment) =>
  handlePreTokenGeneration({ use: accountUse(environment.PLANS_TABLE) }),
);
