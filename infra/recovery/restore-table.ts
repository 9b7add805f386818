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
import { isStageName, stages } from '../stages.ts';
import { isTableId, type TableId, tableIds, timeToLive } from '../tables.ts';
import { tablesInUse } from './stack-resources.ts';

export interface Restoration {
  target: Pick<Target, 'cloudFormation' | 'dynamodb' | 'stackName' | 'stage' | 'stageName'>;
  table: TableId;
  /** The moment to go back to. Undefined for a table that was deleted: it comes back as it was then. */
  at: Date | undefined;
  /** Without this, only says what it would do. */
  isWriting: boolean;
  say: (line: string) => void;
  pause?: (milliseconds: number) => Promise<unknown>;
}

// Milliseconds between two looks at a table that is being restored.
const INTERVAL = 15_000;

/**
 * Restores a table, and gives it the settings that DynamoDB doesn't restore: point-in-time recovery, time to
 * live and protection from deletion. Indexes come back with the table. Safe to repeat: it goes on where it
 * was.
 *
 * A deleted table comes back under its own name, and the stack uses it at once. A table that still exists is
 * restored under another name, beside it. Resolves with the restored table's name.
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

/** Only letters, digits, `_`, `-` and `.` are allowed. */
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
  const AttributeName = timeToLive[table];
  if (AttributeName === undefined) return;
  const TimeToLiveSpecification = { AttributeName, Enabled: true };
  try {
    await dynamodb.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  } catch (error) {
    // A repeated run.
    if (!(error instanceof Error && /already enabled/i.test(error.message))) throw error;
  }
}

/** Backups of a new table can't be set up for some minutes. */
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

if (import.meta.main) {
  const [stageName, table, ...options] = process.argv.slice(2);
  const at = options.includes('--at') ? new Date(options[options.indexOf('--at') + 1] ?? '') : undefined;
  if (!isStageName(stageName) || !isTableId(table) || Number.isNaN(at?.getTime())) {
    console.error(
      `npm run restore-table -- <${Object.keys(stages).join(' | ')}> <${tableIds.join(' | ')}> [--at <ISO 8601>] [--write]`,
    );
    process.exit(2);
  }
  try {
    const target = targetOf(stageName);
    await restoreTable({ target, table, at, isWriting: options.includes('--write'), say: console.log });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
