import {
  ContinuousBackupsUnavailableException,
  DescribeTableCommand,
  ListBackupsCommand,
  ResourceNotFoundException,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { setTimeout as wait } from 'node:timers/promises';
import { type Target, targetOf } from '../deploy/target.ts';
import { stageNameFrom } from '../stage-name-from.ts';
import { UsageError } from '../usage-error.ts';
import { factsOf, isTableId, type TableId } from '../../../schemas/tables.ts';
import { tablesInUse } from '../deploy/stack-resources.ts';

export interface Restoration {
  target: Pick<Target, 'cloudFormation' | 'dynamodb' | 'stackName' | 'stage' | 'stageName'>;
  table: TableId;
  /** The moment to go back to. Undefined for a deleted table, which is restored as of its deletion. */
  at: Date | undefined;
  /** Whether to write. Without it, only says what would change. */
  isWriting: boolean;
  say: (line: string) => void;
  pause?: (milliseconds: number) => Promise<unknown>;
}

// Milliseconds between two checks of a table that is being restored.
const INTERVAL = 15_000;

/**
 * Restores a table, with the settings that DynamoDB doesn't restore: point-in-time recovery, time to live and
 * deletion protection. DynamoDB does restore indexes. Safe to repeat: a second run continues where the first
 * stopped.
 *
 * A deleted table is restored under its own name, and the stack uses it at once. A table that still exists is
 * restored under another name. Resolves with the restored table's name.
 */
export async function restoreTable(restoration: Restoration): Promise<string> {
  const { target, table, at, isWriting, say } = restoration;
  const name = (await tablesInUse(target))(table);
  const isThere = (await describe(target, name)) !== undefined;
  if (isThere && at === undefined) {
    throw new Error(`${name} exists. Name the moment to go back to: --at 2026-11-22T10:15:00Z`);
  }
  const restored = at === undefined ? name : nameAt(target.stackName, table, at);
  say(
    at === undefined
      ? `${name} is gone. It comes back under its name, as it was when it was deleted.`
      : `${name} stays as it is. Its state of ${at.toISOString()} becomes ${restored}.`,
  );
  if (!isWriting) {
    say('Nothing was changed. Add --write to do it.');
    return restored;
  }
  if ((await describe(target, restored)) === undefined) {
    await (at === undefined ? restoreDeleted(target, name) : restoreTo(target, { name, restored, at }));
    say('DynamoDB restores it. That takes ten minutes and more, whatever its size.');
  }
  await waitUntilActive(restoration, restored);
  await applySettings(restoration, restored);
  say(`${restored} is ready, with its indexes and settings.`);
  if (at !== undefined) for (const line of nextSteps(target.stageName, table, restored)) say(line);
  return restored;
}

/** The table is in use after a deployment, which changes the functions' variables and rights. */
const nextSteps = (stageName: string, table: TableId, restored: string): string[] => [
  `To put it in use, set in infra/stages/${stageName}.ts and deploy (npm run deploy:${stageName}):`,
  `  restoredTables: { ${table}: '${restored}' },`,
];

/** DynamoDB allows only letters, digits, `_`, `-` and `.`. */
const nameAt = (stackName: string, table: TableId, at: Date): string =>
  `${stackName}-Restored${table}-${at.toISOString().replaceAll(/[:-]|\.\d{3}/g, '')}`;

async function describe(
  { dynamodb }: Restoration['target'],
  TableName: string,
): Promise<TableDescription | undefined> {
  try {
    return (await dynamodb.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function restoreTo(
  { dynamodb }: Restoration['target'],
  { name, restored, at }: { name: string; restored: string; at: Date },
): Promise<void> {
  await dynamodb.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: name,
      TargetTableName: restored,
      RestoreDateTime: at,
    }),
  );
}

/** DynamoDB keeps a system backup of a deleted table with point-in-time recovery, for 35 days. */
async function restoreDeleted({ dynamodb }: Restoration['target'], name: string): Promise<void> {
  const { BackupSummaries = [] } = await dynamodb.send(
    new ListBackupsCommand({ TableName: name, BackupType: 'SYSTEM' }),
  );
  const [newest] = BackupSummaries.filter(({ BackupStatus }) => BackupStatus === 'AVAILABLE').toSorted(
    (a, b) => Number(b.BackupCreationDateTime) - Number(a.BackupCreationDateTime),
  );
  if (!newest) throw new Error(`There is no backup of ${name}. It was deleted more than 35 days ago.`);
  await dynamodb.send(
    new RestoreTableFromBackupCommand({ TargetTableName: name, BackupArn: newest.BackupArn }),
  );
}

async function waitUntilActive({ target, pause = wait }: Restoration, name: string): Promise<void> {
  for (;;) {
    const table = await describe(target, name);
    const indexes = table?.GlobalSecondaryIndexes ?? [];
    if (table?.TableStatus === 'ACTIVE' && indexes.every(({ IndexStatus }) => IndexStatus === 'ACTIVE')) {
      return;
    }
    await pause(INTERVAL);
  }
}

/** Restored tables lack these: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/pointintimerecovery_restores.html */
async function applySettings({ target, table, pause = wait }: Restoration, TableName: string): Promise<void> {
  const { dynamodb, stage } = target;
  await untilAvailable(pause, () =>
    dynamodb.send(
      new UpdateContinuousBackupsCommand({
        TableName,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
    ),
  );
  await dynamodb.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: stage.keepsData }));
  const AttributeName = factsOf(table).timeToLive;
  if (AttributeName === undefined) return;
  const TimeToLiveSpecification = { AttributeName, Enabled: true };
  try {
    await dynamodb.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  } catch (error) {
    // Already enabled by an earlier run.
    if (!(error instanceof Error && /already enabled/i.test(error.message))) throw error;
  }
}

/** Backups of a new table can't be configured for some minutes. */
async function untilAvailable(
  pause: (milliseconds: number) => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof ContinuousBackupsUnavailableException)) throw error;
      await pause(INTERVAL);
    }
  }
}

export async function run(parameters: readonly string[]): Promise<void> {
  const stageName = stageNameFrom(parameters);
  const [, table, ...options] = parameters;
  const at = options.includes('--at') ? new Date(options[options.indexOf('--at') + 1] ?? '') : undefined;
  if (!isTableId(table) || Number.isNaN(at?.getTime())) throw new UsageError();
  const target = targetOf(stageName);
  await restoreTable({ target, table, at, isWriting: options.includes('--write'), say: console.log });
}
