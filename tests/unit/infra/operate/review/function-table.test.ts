import { expect, test } from 'vitest';
import type { Resource } from '../../../../../infra/operate/review/resource.ts';
import { snapshotOf, textOf } from '../../../../../infra/operate/review/snapshot.ts';

type Resources = Record<string, Resource>;

const lambdaMayUse = (service: string) => ({
  Version: '2012-10-17',
  Statement: [{ Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: service } }],
});
const roleOf = (service: string, ...Statement: object[]): Resource => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: lambdaMayUse(service),
    Policies: [{ PolicyName: 'Rights', PolicyDocument: { Version: '2012-10-17', Statement } }],
  },
});
const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

/** A function that a route and a schedule call. `log`: its log group. */
const functionOf = (name: string, log = `${name}Logs`): Resources => ({
  [name]: {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Description: `Does ${name.toLowerCase()}.`,
      Environment: { Variables: { TABLE: { Ref: 'Table' }, NAME: name.toLowerCase() } },
      LoggingConfig: { LogGroup: { Ref: log } },
      MemorySize: 512,
      Role: arnOf(`${name}Role`),
      Timeout: 29,
    },
  },
  [log]: {
    Type: 'AWS::Logs::LogGroup',
    DeletionPolicy: 'Delete',
    Properties: { RetentionInDays: 7 },
  },
  [`${name}Role`]: roleOf(
    'lambda.amazonaws.com',
    {
      Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      Effect: 'Allow',
      Resource: arnOf(log),
    },
    { Action: ['db:Get', 'db:Put', 'key:Sign'], Effect: 'Allow', Resource: [arnOf('Table'), arnOf('Other')] },
    { Action: 'db:Get', Effect: 'Allow', Resource: '*', Condition: { StringEquals: { 'aws:x': 'y' } } },
  ),
  [`${name}Retries`]: {
    Type: 'AWS::Lambda::EventInvokeConfig',
    Properties: { FunctionName: { Ref: name }, MaximumRetryAttempts: 2 },
  },
  [`${name}Permission`]: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      FunctionName: arnOf(name),
      Principal: 'apigateway.amazonaws.com',
      SourceArn: `/${name.toLowerCase()}`,
    },
  },
  [`${name}Integration`]: {
    Type: 'AWS::ApiGatewayV2::Integration',
    Properties: { ApiId: { Ref: 'Api' }, IntegrationUri: arnOf(name) },
  },
  [`${name}Route`]: {
    Type: 'AWS::ApiGatewayV2::Route',
    Properties: {
      AuthorizationType: 'JWT',
      RouteKey: `GET /${name.toLowerCase()}`,
      Target: { 'Fn::Join': ['', ['integrations/', { Ref: `${name}Integration` }]] },
    },
  },
  [`${name}Schedule`]: {
    Type: 'AWS::Scheduler::Schedule',
    Properties: {
      ScheduleExpression: 'rate(1 hour)',
      Target: { Arn: arnOf(name), RoleArn: arnOf(`${name}ScheduleRole`) },
    },
  },
  [`${name}ScheduleRole`]: roleOf('scheduler.amazonaws.com', {
    Action: 'lambda:InvokeFunction',
    Effect: 'Allow',
    Resource: arnOf(name),
  }),
});

const alarmOf = (name: string): Resources => ({
  [`Alarms${name}0123ABCD`]: {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmName: `stack-${name}`,
      DatapointsToAlarm: 2,
      EvaluationPeriods: 3,
      Dimensions: [{ Name: 'Function', Value: { Ref: name } }],
      MetricName: 'Invocations',
      Namespace: 'n',
      Period: 300,
      Statistic: 'Sum',
    },
  },
  [`${name}Alarm`]: {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmActions: [{ Ref: 'Mail' }],
      AlarmDescription: `${name} fails.`,
      Metrics: [
        { Expression: 'errors - refusals', Id: 'result', ReturnData: true },
        ...['errors', 'refusals'].map((Id) => ({
          Id,
          MetricStat: {
            Metric: {
              Dimensions: [{ Name: 'Function', Value: { Ref: name } }],
              MetricName: Id,
              Namespace: 'n',
            },
            Period: 300,
            Stat: 'Sum',
          },
          ReturnData: false,
        })),
      ],
      Threshold: 1,
    },
  },
});
const withAlarm = (name: string, log?: string): Resources => ({ ...functionOf(name, log), ...alarmOf(name) });

const table: Resources = { Table: { Type: 'AWS::DynamoDB::Table', Properties: { BillingMode: 'PAY' } } };
const three = (log?: string): Resources => ({
  ...withAlarm('A', log),
  ...withAlarm('B', log),
  ...withAlarm('C', log),
  ...table,
});
const snapshot = (resources: Resources) => snapshotOf({ Resources: resources }, 'staging');

test('a function is a row with what differs from most functions, and all of its rights', () => {
  const { Functions, Resources } = snapshot(three());
  expect(Object.keys(Resources)).toEqual(['Table']);
  expect(Functions['B']).toEqual({
    Parts: expect.arrayContaining(['Function', 'Role', 'Actions', 'ScheduleActions', 'Route']) as string[],
    Function: { Description: 'Does b.', MemorySize: 512, Timeout: 29 },
    Variables: [{ NAME: 'b' }, 'TABLE'],
    Actions: {
      Table: 'db:Get, Put, key:Sign',
      Other: 'db:Get, Put, key:Sign',
      '* {"Condition":{"StringEquals":{"aws:x":"y"}}}': 'db:Get',
    },
    Permission: { SourceArn: '/b' },
    Route: { RouteKey: 'GET /b' },
  });
});

test('an alarm’s metrics are a line each', () => {
  const { Alarms } = snapshot(three());
  const sumOf = (metric: string) => ['Sum', 300, 'n', metric, { Function: { Ref: 'B' } }];
  expect(Alarms['BAlarm']?.['Metrics']).toEqual({
    result: 'errors - refusals',
    errors: sumOf('errors'),
    refusals: sumOf('refusals'),
  });
  expect(Alarms['AlarmsB0123ABCD']?.['Metric']).toEqual(sumOf('Invocations'));
});

type Path = readonly string[];
type Values = Record<string, unknown>;

/** The paths of all texts, numbers and switches in a value. */
const leavesOf = (value: unknown, path: Path = []): Path[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, item]) => leavesOf(item, [...path, name]))
    : [path];

/** Each change of B that a template can have: another value, a value less, a property or a statement more. */
function changesOfB(log?: string): ((resources: Resources) => void)[] {
  const at = (resources: Resources, path: Path) =>
    path.reduce((value: unknown, name) => (value as Values)[name], resources) as Values;
  const leaves = leavesOf(withAlarm('B', log)).flatMap((path) => {
    const [parent, name] = [path.slice(0, -1), path.at(-1) ?? ''];
    return [
      (resources: Resources) =>
        void (at(resources, parent)[name] = `${JSON.stringify(at(resources, path))}x`),
      (resources: Resources) => {
        const value = at(resources, parent);
        if (Array.isArray(value)) value.splice(Number(name), 1);
        else delete value[name];
      },
    ];
  });
  const more = Object.keys(withAlarm('B', log)).flatMap((id) => [
    (resources: Resources) => void (at(resources, [id, 'Properties'])['New'] = 'x'),
    (resources: Resources) => {
      const [policy] = (resources[id]?.Properties?.['Policies'] ?? []) as {
        PolicyDocument: { Statement: Values[] };
      }[];
      policy?.PolicyDocument.Statement.push({ Action: 'db:Scan', Effect: 'Allow', Resource: arnOf('Table') });
      if (!policy) Object.assign(resources[id] ?? {}, { DeletionPolicy: 'x' });
    },
  ]);
  return [...leaves, ...more];
}

test.each([
  ['its own log', undefined],
  ['a shared log', 'Logs'],
])('every change of a function with %s shows, and every new function or alarm', (_, log) => {
  const before = textOf(snapshot(three(log)));
  const added = [functionOf('D', log), alarmOf('D')].map(
    (more) => (resources: Resources) => Object.assign(resources, more),
  );
  const changes = [...changesOfB(log), ...added];
  expect(changes.length).toBeGreaterThan(150);
  const hidden = changes.filter((change) => {
    const resources = three(log);
    change(resources);
    return textOf(snapshot(resources)) === before;
  });
  expect(hidden.map(String)).toEqual([]);
});
