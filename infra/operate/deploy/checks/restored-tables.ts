import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { factsOf, isTableId } from '../../../../schemas/tables.ts';
import { type Check, error, type Finding } from '../check.ts';
import type { Target } from '../target.ts';

/**
 * Whether the restored tables in the stage's settings have everything that the stack gives its own tables.
 */
export const restoredTables = ({ dynamodb, stage, stageName }: Target): Check => ({
  name: 'Restored tables',
  needsCredentials: true,
  mustBeAsked: true,
  async run() {
    const findings: Finding[] = [];
    for (const [id, name] of Object.entries(stage.restoredTables ?? {})) {
      const missing = await missingIn(dynamodb, { id, name, isProtected: stage.keepsData });
      if (missing.length === 0) continue;
      findings.push(
        error(
          `The table ${name} in the settings lacks ${missing.join(', ')}.`,
          `npm run ops -- restore-table ${stageName} ${id} --at <the same moment> --write   # continues where it stopped`,
        ),
      );
    }
    return findings;
  },
});

async function missingIn(
  dynamodb: DynamoDBClient,
  { id, name: TableName, isProtected }: { id: string; name: string; isProtected: boolean },
): Promise<string[]> {
  try {
    const [{ Table }, { ContinuousBackupsDescription }, { TimeToLiveDescription }] = await Promise.all([
      dynamodb.send(new DescribeTableCommand({ TableName })),
      dynamodb.send(new DescribeContinuousBackupsCommand({ TableName })),
      dynamodb.send(new DescribeTimeToLiveCommand({ TableName })),
    ]);
    const recovery = ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
    const indexes = Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName) ?? [];
    const { indexes: wanted = {}, timeToLive: expires } = isTableId(id) ? factsOf(id) : {};
    return [
      ...Object.keys(wanted).filter((index) => !indexes.includes(index)),
      ...(Table?.TableStatus === 'ACTIVE' ? [] : ['the end of its restoration']),
      ...(recovery?.PointInTimeRecoveryStatus === 'ENABLED' ? [] : ['point-in-time recovery']),
      ...(isProtected && !Table?.DeletionProtectionEnabled ? ['protection from deletion'] : []),
      ...(expires !== undefined && TimeToLiveDescription?.AttributeName !== expires ? ['time to live'] : []),
    ];
  } catch (thrown) {
    if (thrown instanceof ResourceNotFoundException) return ['everything: there is no such table'];
    throw thrown;
  }
}
