import { runningOf } from '../../recovery/pause.ts';
import { stackResources } from '../../recovery/stack-resources.ts';
import { type Check, error } from '../check.ts';
import { describeStack, isToBeCreated } from '../stack-state.ts';
import type { Target } from '../target.ts';

/**
 * Whether the deployment gives the stage a new, empty pool while functions run that end the billing of users
 * who aren't in the pool.
 */
export const newPool = (target: Target): Check => ({
  name: 'New user pool',
  needsCredentials: true,
  mustBeAsked: true,
  async run() {
    const { userPoolNumber = 1 } = target.stage;
    if (userPoolNumber === 1 || isToBeCreated(await describeStack(target))) return [];
    const resources = await stackResources(target);
    const logicalId = new RegExp(`^IdentityPool${userPoolNumber}[0-9A-F]{8}$`);
    if (resources.some((resource) => logicalId.test(resource.logicalId))) return [];
    const running = await runningOf(target);
    if (running.length === 0) return [];
    return [
      error(
        'The deployment makes a new, empty user pool, and functions run that take its missing users for deleted accounts.',
        `npm run pause -- ${target.stageName}   # then see "The user pool is lost" in the runbook`,
      ),
    ];
  },
});
