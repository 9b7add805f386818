import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { expect, test } from 'vitest';
import { pausedIds, runningOf, setPaused } from '../../infra/operate/deploy/pause.ts';
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
