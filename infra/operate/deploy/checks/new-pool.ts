import { runningOf } from '../pause.ts';
import { isLogicalIdOf, stackResources } from '../stack-resources.ts';
import { type Check, error, type Finding } from '../check.ts';
import { describeStack, isToBeCreated } from '../stack-state.ts';
import type { Target } from '../target.ts';

/**
 * Refuses to give the stage a new, empty pool while functions run that end the billing of users who aren't in
 * the pool, or while anybody can make accounts in it.
 */
export const newPool = (target: Target): Check => ({
  name: 'New user pool',
  needsCredentials: true,
  mustBeAsked: true,
  async run() {
    const { userPoolNumber = 1, signUpsClosed = false } = target.stage;
    if (userPoolNumber === 1) return [];
    // A new stack has no users.
    if (isToBeCreated(await describeStack(target))) return [];
    const resources = await stackResources(target);
    const ids = `IdentityPool${userPoolNumber}`;
    if (resources.some(({ logicalId }) => isLogicalIdOf(ids, logicalId))) return [];
    const findings: Finding[] = [];
    if ((await runningOf(target)).length > 0) {
      findings.push(
        error(
          'The deployment makes a new, empty user pool, and functions run that take its missing users for deleted accounts.',
          `npm run ops -- pause ${target.stageName}   # then see "The user pool is lost" in the runbook`,
        ),
      );
    }
    if (!signUpsClosed) {
      findings.push(
        error(
          'The deployment makes a new, empty user pool, in which anybody can make accounts before its users are restored.',
          `signUpsClosed: true in infra/stages/${target.stageName}.ts   # see "The user pool is lost" in the runbook`,
        ),
      );
    }
    return findings;
  },
});
