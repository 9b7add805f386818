import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { expect, test } from 'vitest';
import { pausedIds, runningOf, setPaused } from '../../infra/operate/deploy/pause.ts';
import { restoreTable } from '../../infra/operate/recover/restore-table.ts';
import { tablesInUse } from '../../infra/operate/deploy/stack-resources.ts';
import { stages } from '../../infra/stages/stages.ts';
import { scheduleFactsOf, scheduleNames } from '../../schemas/schedules.ts';
import { tableIds } from '../../schemas/tables.ts';
import { answered } from '../fixtures/aws/answered-client.ts';
import { templatesOf } from '../fixtures/aws/stack.ts';
import { resources } from '../fixtures/aws/template.ts';

const stackName = 'selfsame-production';
// As CloudFormation lists the template's resources, in pages. It names each after its logical id here.
const all = resources(templatesOf().production);
const cloudFormation = answered(new CloudFormationClient(), {
  ListStackResourcesCommand: ({ NextToken = '0' }: { NextToken?: string }) => {
    const from = Number(NextToken);
    return {
      StackResourceSummaries: all.slice(from, from + 100).map(([id, { Type }]) => ({
        LogicalResourceId: id,
        PhysicalResourceId: `${stackName}-${id}`,
        ResourceType: Type,
      })),
      ...(from + 100 < all.length && { NextToken: String(from + 100) }),
    };
  },
});
const nameOf = (id: string): string =>
  `${stackName}-${all.find(([logicalId]) => logicalId.slice(0, -8) === id)?.[0]}`;

test('every table of the stack is found, and a restored one in its place', async () => {
  const tableOf = await tablesInUse({ cloudFormation, stackName, stage: stages.production });
  const tables = all.filter(([, { Type }]) => Type === 'AWS::DynamoDB::Table');
  expect(tableIds.map(tableOf).toSorted()).toEqual(tables.map(([id]) => `${stackName}-${id}`).toSorted());
  const stage = { ...stages.production, restoredTables: { Waitlist: 'restored' } };
  expect((await tablesInUse({ cloudFormation, stackName, stage }))('Waitlist')).toBe('restored');
});

test('functions that write plans or delete accounts by themselves are paused, and run again', async () => {
  const concurrency = new Map<string, number>();
  const lambda = answered(new LambdaClient(), {
    GetFunctionConcurrencyCommand: ({ FunctionName }: { FunctionName: string }) => ({
      ReservedConcurrentExecutions: concurrency.get(FunctionName),
    }),
    PutFunctionConcurrencyCommand: (input: {
      FunctionName: string;
      ReservedConcurrentExecutions: number;
    }) => {
      concurrency.set(input.FunctionName, input.ReservedConcurrentExecutions);
      return {};
    },
    DeleteFunctionConcurrencyCommand: ({ FunctionName }: { FunctionName: string }) => {
      concurrency.delete(FunctionName);
      return {};
    },
  });
  const target = { cloudFormation, lambda, stackName };
  const paused = pausedIds.map(nameOf);
  expect(new Set(await runningOf(target))).toEqual(new Set(paused));
  await setPaused(target, true, () => {});
  expect(concurrency).toEqual(new Map(paused.map((name) => [name, 0])));
  expect(await runningOf(target)).toEqual([]);
  await setPaused(target, false, () => {});
  expect(concurrency.size).toBe(0);
});

test.each(scheduleNames)('%s is paused, unless it writes no plan', (name) => {
  const { access, isPausable } = scheduleFactsOf(name);
  const writes = access.tables?.UserPlans?.some((action) => /^(Put|Update|Delete)/.test(action)) ?? false;
  expect(isPausable || !writes).toBe(true);
});

test('a stack that lacks one of these functions is taken neither for paused nor for running', async () => {
  const renamed = answered(new CloudFormationClient(), {
    ListStackResourcesCommand: () => ({
      StackResourceSummaries: all
        .filter(([id]) => !id.startsWith('SchedulesBillingTasks'))
        .map(([id, { Type }]) => ({ LogicalResourceId: id, PhysicalResourceId: id, ResourceType: Type })),
    }),
  });
  const lambda = answered(new LambdaClient(), {
    GetFunctionConcurrencyCommand: () => ({ ReservedConcurrentExecutions: 0 }),
  });
  await expect(runningOf({ cloudFormation: renamed, lambda, stackName })).rejects.toThrow(
    'has no function SchedulesBillingTasks',
  );
});

test('a table that was deleted is restored under its name, from its newest backup', async () => {
  const name = nameOf('DataAddressChanges');
  const calls: [string, object][] = [];
  let isRestored = false;
  const note = (operation: string) => (input: object) => {
    calls.push([operation, input]);
    return {};
  };
  const dynamodb = answered(new DynamoDBClient(), {
    DescribeTableCommand: () => {
      if (!isRestored) throw new ResourceNotFoundException({ message: 'not found', $metadata: {} });
      return { Table: { TableStatus: 'ACTIVE' } };
    },
    ListBackupsCommand: () => ({
      BackupSummaries: [1, 3, 2].map((day) => ({
        BackupArn: `backup-${day}`,
        BackupStatus: 'AVAILABLE',
        BackupCreationDateTime: new Date(Date.UTC(2030, 0, day)),
      })),
    }),
    RestoreTableFromBackupCommand: (input: object) => {
      isRestored = true;
      return note('restore')(input);
    },
    UpdateContinuousBackupsCommand: note('backups'),
    UpdateTableCommand: note('protection'),
    UpdateTimeToLiveCommand: note('time to live'),
  });
  const target = {
    cloudFormation,
    dynamodb,
    stackName,
    stage: stages.production,
    stageName: 'production',
  } as const;
  const restoration = { target, table: 'AddressChanges', at: undefined, say: () => {} } as const;
  await restoreTable({ ...restoration, isWriting: false });
  expect(calls).toEqual([]);
  expect(await restoreTable({ ...restoration, isWriting: true })).toBe(name);
  const expired = {
    TableName: name,
    TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
  };
  expect(calls).toMatchObject([
    ['restore', { TargetTableName: name, BackupArn: 'backup-3' }],
    ['backups', { TableName: name }],
    ['protection', { TableName: name, DeletionProtectionEnabled: true }],
    ['time to live', expired],
  ]);
  // It exists now: without a moment, nothing says which state is meant.
  await expect(restoreTable({ ...restoration, isWriting: true })).rejects.toThrow('--at');
});
