import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { TableAction } from '../../../schemas/tables.ts';

/** Rights to a table, or to the index that an action names. CDK's grants include every index. */
export function tableRights({ tableArn }: ITable, actions: readonly TableAction[]): PolicyStatement[] {
  const actionsOf = Map.groupBy(actions, (action) => action.split(':')[1]);
  return [...actionsOf].map(
    ([index, grouped]) =>
      new PolicyStatement({
        actions: grouped.map((action) => `dynamodb:${action.split(':')[0]}`),
        resources: [index === undefined ? tableArn : `${tableArn}/index/${index}`],
      }),
  );
}
