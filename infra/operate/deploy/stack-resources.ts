import { paginateListStackResources } from '@aws-sdk/client-cloudformation';
import type { Target } from './target.ts';
import type { TableId } from '../../../schemas/tables.ts';

/** Whether a logical id is that of the constructs with these ids. CDK appends a hash of eight digits. */
export const isLogicalIdOf = (ids: string, logicalId: string): boolean =>
  new RegExp(`^${ids}[0-9A-F]{8}$`).test(logicalId);

/** The name at AWS of a function. Throws if the stack has no function with these ids. */
export function functionIn(resources: readonly StackResource[], ids: string): string {
  const found = resources.find(
    ({ type, logicalId }) => type === 'AWS::Lambda::Function' && isLogicalIdOf(ids, logicalId),
  );
  if (!found?.name) throw new Error(`The stack has no function ${ids}.`);
  return found.name;
}

/** A resource of a deployed stack. */
export interface StackResource {
  logicalId: string;
  /** The table's or function's name at AWS. CloudFormation keeps it when the resource itself is gone. */
  name: string;
  type: string;
}

export async function stackResources({
  cloudFormation,
  stackName,
}: Pick<Target, 'cloudFormation' | 'stackName'>): Promise<StackResource[]> {
  const resources: StackResource[] = [];
  for await (const page of paginateListStackResources({ client: cloudFormation }, { StackName: stackName })) {
    for (const { LogicalResourceId, PhysicalResourceId, ResourceType } of page.StackResourceSummaries ?? []) {
      resources.push({
        logicalId: LogicalResourceId ?? '',
        name: PhysicalResourceId ?? '',
        type: ResourceType ?? '',
      });
    }
  }
  return resources;
}

/** The names of the tables in use. */
export async function tablesInUse(
  target: Pick<Target, 'cloudFormation' | 'stackName' | 'stage'>,
): Promise<(id: TableId) => string> {
  const resources = await stackResources(target);
  return (id) => {
    const restored = target.stage.restoredTables?.[id];
    if (restored !== undefined) return restored;
    const own = resources.find(({ logicalId }) => isLogicalIdOf(`Data${id}`, logicalId));
    if (!own?.name) throw new Error(`The stack ${target.stackName} has no table ${id}.`);
    return own.name;
  };
}
