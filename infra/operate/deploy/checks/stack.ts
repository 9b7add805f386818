import { DescribeStackEventsCommand } from '@aws-sdk/client-cloudformation';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { type Check, error, type Finding, warning } from '../check.ts';
import { describeStack } from '../stack-state.ts';
import type { Target } from '../target.ts';

/** The state that an earlier deployment left the stack in. */
export const stack = (target: Target): Check => ({
  name: 'Earlier deployments',
  needsCredentials: true,
  async run() {
    const { stackName, stageName, stage } = target;
    const found = await describeStack(target);
    if (!found) return tablesLeft(target);
    const status = String(found.StackStatus);
    const aws = (command: string): string =>
      `aws cloudformation ${command} --region ${stage.region} --stack-name ${stackName}`;
    if (status.endsWith('_IN_PROGRESS') && status !== 'REVIEW_IN_PROGRESS') {
      return [
        error(
          `${stackName} is being changed right now: ${status}.`,
          `${aws('wait stack-update-complete')}\nnpm run ops -- roll-back ${stageName}   # cancels an update`,
        ),
      ];
    }
    if (status === 'UPDATE_ROLLBACK_FAILED') {
      return [
        error(
          `An update of ${stackName} could not be rolled back. ${await reasonOf(target)}`,
          aws('continue-update-rollback'),
        ),
      ];
    }
    if (!/^(?:ROLLBACK_COMPLETE|ROLLBACK_FAILED|DELETE_FAILED)$/.test(status)) return [];
    const reason = await reasonOf(target);
    if (found.EnableTerminationProtection === true) {
      return [
        error(
          `${stackName} was never completed and is protected from deletion, so it can't be created again. ${reason}`,
          aws('update-termination-protection --no-enable-termination-protection'),
        ),
      ];
    }
    if (status === 'ROLLBACK_COMPLETE') {
      return [
        warning(
          `The first deployment of ${stackName} failed. ${reason}`,
          'The deployment removes the stack and starts over.',
        ),
      ];
    }
    return [error(`${stackName} could not be removed: ${status}. ${reason}`, aws('delete-stack'))];
  },
});

/** The reason for the newest failure, in CloudFormation's words. Empty if CloudFormation gives none. */
async function reasonOf({ cloudFormation, stackName }: Target): Promise<string> {
  const { StackEvents = [] } = await cloudFormation.send(
    new DescribeStackEventsCommand({ StackName: stackName }),
  );
  // Events come newest first. The first failure is the cause; resources that were canceled with it aren't.
  const cause = StackEvents.toReversed().find(
    ({ ResourceStatus, ResourceStatusReason = '' }) =>
      ResourceStatus?.endsWith('_FAILED') && !/cancelled/i.test(ResourceStatusReason),
  );
  return cause ? `${cause.LogicalResourceId}: ${cause.ResourceStatusReason}` : '';
}

async function tablesLeft({ dynamodb, stackName }: Target): Promise<Finding[]> {
  // The names of all tables that the stack creates begin with this prefix.
  const prefix = `${stackName}-Data`;
  const { TableNames = [] } = await dynamodb.send(
    new ListTablesCommand({ ExclusiveStartTableName: prefix, Limit: 20 }),
  );
  const left = TableNames.filter((name) => name.startsWith(prefix));
  if (left.length === 0) return [];
  return [
    warning(
      `There is no ${stackName}, and tables that it once kept are still there: ${left.join(', ')}. A new stack makes new, empty ones.`,
      'To put the kept ones in use, see "Adopt what was kept" in .github/deploying.md before you deploy.',
    ),
  ];
}
