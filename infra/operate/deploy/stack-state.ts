import {
  CloudFormationServiceException,
  DescribeStacksCommand,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import type { Target } from './target.ts';

type StackOf = Pick<Target, 'cloudFormation' | 'stackName'>;

/** The stack, or undefined if there is none. */
export async function describeStack({ cloudFormation, stackName }: StackOf): Promise<Stack | undefined> {
  try {
    const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stackName }));
    return Stacks[0];
  } catch (thrown) {
    if (thrown instanceof CloudFormationServiceException && /does not exist/.test(thrown.message)) {
      return undefined;
    }
    throw thrown;
  }
}

/** The stack's outputs by name; none without a stack. */
export async function outputsOf(target: StackOf): Promise<Record<string, string>> {
  const stack = await describeStack(target);
  return Object.fromEntries(
    (stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  );
}

/**
 * Whether the next deployment creates the stack. A stack whose creation failed counts: the CDK CLI deletes it
 * and creates it again.
 */
export const isToBeCreated = (stack: Stack | undefined): boolean =>
  stack === undefined ||
  /^(?:ROLLBACK_COMPLETE|ROLLBACK_FAILED|REVIEW_IN_PROGRESS)$/.test(stack.StackStatus ?? '');
