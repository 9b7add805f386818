import type { PostConfirmationTriggerEvent } from 'aws-lambda';
import { type PlansTable, plansTable } from '../adapters/plans-table.ts';
import { environment } from '../environment.ts';

/**
 * Gives a new account its Free plan, with no expiry. The trigger fires after a password reset too, where there is
 * nothing to do. Cognito may call it more than once; a row that stands is left alone.
 */
export const openAccount =
  ({ plans }: { plans: PlansTable }, clock: () => Date = () => new Date()) =>
  async (event: PostConfirmationTriggerEvent): Promise<PostConfirmationTriggerEvent> => {
    const sub = event.request.userAttributes['sub'];
    if (event.triggerSource === 'PostConfirmation_ConfirmSignUp' && sub) {
      await plans.open(sub, clock());
    }
    return event;
  };

const settings = environment('writePlans');
export const handler = openAccount({ plans: plansTable(settings.PLANS_TABLE) });
