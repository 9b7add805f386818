import { paginateListStackResources } from '@aws-sdk/client-cloudformation';
import type { Target } from './target.ts';
import type { TableId } from '../../../schemas/tables.ts';

/** Whether a resource's logical id is that of the table. CDK appends a hash of eight digits. */
export const isLogicalIdOf = (id: TableId, logicalId: string): boolean =>
  new RegExp(`^Data${id}[0-9A-F]{8}$`).test(logicalId);

/** A resource of a deployed stack. */
export interface StackResource {
  logicalId: string;
  /**
   * The table's or function's name at AWS. CloudFormation keeps the name when the resource itself is gone.
   */
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
    const own = resources.find(({ logicalId }) => isLogicalIdOf(id, logicalId));
    if (!own?.name) throw new Error(`The stack ${target.stackName} has no table ${id}.`);
    return own.name;
  };
}
