import { describe, expect, test, vi } from 'vitest';
import { lossesBetween, sentenceOf } from '../../../../../infra/operate/review/losses.ts';
import { run } from '../../../../../infra/operate/review/refuse-losses.ts';
import type { Resource } from '../../../../../infra/operate/review/resource.ts';
import type { Snapshot } from '../../../../../infra/operate/review/snapshot.ts';

const table: Resource = {
  Type: 'AWS::DynamoDB::Table',
  DeletionPolicy: 'Retain',
  Properties: {
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  },
};
const stackOf = (resource?: Resource): Pick<Snapshot, 'Resources'> => ({
  Resources: resource ? { Plans: resource } : {},
});
const changed = (resource: Resource, properties: object): Resource => ({
  ...resource,
  Properties: { ...resource.Properties, ...properties },
});
const withProperties = (properties: object) => changed(table, properties);
const otherKey = withProperties({ KeySchema: [{ AttributeName: 'email', KeyType: 'HASH' }] });

describe('a table', () => {
  test.each([
    ['stays', table],
    ['changes in place', withProperties({ BillingMode: 'PROVISIONED' })],
    ['is protected', { ...table, DeletionPolicy: 'RetainExceptOnCreate' }],
  ])('that %s is no loss', (_, after) => {
    expect(lossesBetween(stackOf(table), stackOf(after))).toEqual([]);
  });

  test.each([
    ['with another key', otherKey, 'replaced, because of KeySchema'],
    ['with a name of its own', withProperties({ TableName: 'plans' }), 'replaced, because of TableName'],
    ['that is removed', undefined, 'removed'],
    ['that becomes a queue', { Type: 'AWS::SQS::Queue' }, 'replaced'],
  ])('%s is a loss', (_, after, says) => {
    const [loss, ...others] = lossesBetween(stackOf(table), stackOf(after));
    expect(others).toEqual([]);
    expect(loss && sentenceOf(loss)).toContain(
      `Plans (AWS::DynamoDB::Table) would be ${says}: its rows would be lost.`,
    );
  });
});

describe('a change that CloudFormation makes without interruption is a loss if it', () => {
  const index = (IndexName: string) => ({
    IndexName,
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    Projection: { ProjectionType: 'ALL' },
  });
  const kept = withProperties({
    GlobalSecondaryIndexes: [index('one')],
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
  });
  const pool: Resource = {
    Type: 'AWS::Cognito::UserPool',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      Schema: [
        { Name: 'name', AttributeDataType: 'String', StringAttributeConstraints: { MaxLength: '256' } },
      ],
      UsernameAttributes: ['email'],
      UsernameConfiguration: { CaseSensitive: false },
    },
  };
  const found = (before: Resource, after: Resource) =>
    lossesBetween(stackOf(before), stackOf(after)).flatMap(({ properties }) => properties);

  test.each([
    ['removes an attribute of the pool', pool, { Schema: [] }, 'Schema'],
    ['changes one', pool, { Schema: [{ Name: 'name', AttributeDataType: 'String' }] }, 'Schema'],
    ['changes what users sign in with', pool, { UsernameAttributes: ['phone_number'] }, 'UsernameAttributes'],
    ['adds an alias', pool, { AliasAttributes: ['email'] }, 'AliasAttributes'],
    ['changes the case', pool, { UsernameConfiguration: { CaseSensitive: true } }, 'UsernameConfiguration'],
    ['removes an index', kept, { GlobalSecondaryIndexes: [] }, 'GlobalSecondaryIndexes'],
    [
      'adds two indexes',
      kept,
      { GlobalSecondaryIndexes: [index('one'), index('two'), index('three')] },
      'GlobalSecondaryIndexes',
    ],
    [
      'ends the recovery',
      kept,
      { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } },
      'PointInTimeRecoverySpecification',
    ],
    [
      'renames the time to live',
      kept,
      { TimeToLiveSpecification: { AttributeName: 'ends_at', Enabled: true } },
      'TimeToLiveSpecification',
    ],
  ])('%s', (_, before, properties, property) => {
    expect(found(before, changed(before, properties))).toEqual([property]);
    const [loss] = lossesBetween(stackOf(before), stackOf(changed(before, properties)));
    expect(loss && sentenceOf(loss)).toMatch(/would be changed, because of \w+: .+\. If that is wanted/);
  });

  test('no longer keeps what it kept', () => {
    expect(found(kept, { ...kept, DeletionPolicy: 'Delete' })).toEqual(['DeletionPolicy']);
    expect(found(pool, { ...pool, UpdateReplacePolicy: 'Delete' })).toEqual(['UpdateReplacePolicy']);
  });

  test('and not if it adds one index, an attribute or a time to live, or says nothing of attributes', () => {
    expect(found(pool, changed(pool, { Schema: undefined }))).toEqual([]);
    const attribute = { Name: 'browser', AttributeDataType: 'String' };
    const schema = pool.Properties?.['Schema'] as object[];
    expect(found(pool, changed(pool, { Schema: [...schema, attribute] }))).toEqual([]);
    expect(found(table, kept)).toEqual([]);
  });
});

/** The losses if a resource of a type has other properties. */
const lossesOf = (Type: string, before: object, after: object) =>
  lossesBetween(stackOf(changed({ Type }, before)), stackOf(changed({ Type }, after)));

test.each<[string, object, object]>([
  ['AWS::Cognito::UserPoolDomain', { Domain: 'one' }, { Domain: 'other' }],
  ['AWS::S3::Bucket', {}, { BucketName: 'site' }],
  ['AWS::SQS::Queue', { QueueName: 'one' }, { QueueName: 'other' }],
  ['AWS::SecretsManager::Secret', {}, { Name: 'secret' }],
  ['AWS::SES::EmailIdentity', { EmailIdentity: 'selfsame.test' }, { EmailIdentity: 'other.test' }],
])('%s is lost by a property that only a new one can have', (type, one, other) => {
  expect(lossesOf(type, one, other)).toHaveLength(1);
});

test.each<[string, string, object, object]>([
  [
    'a placeholder',
    'AWS::SES::EmailIdentity',
    { EmailIdentity: 'selfsame.example' },
    { EmailIdentity: 'other.test' },
  ],
  ['a resource without state', 'AWS::Lambda::Function', { FunctionName: 'one' }, { FunctionName: 'other' }],
])('%s may be replaced', (_, type, one, other) => {
  expect(lossesOf(type, one, other)).toEqual([]);
});

test('a key is lost when it is removed', () => {
  expect(lossesBetween(stackOf({ Type: 'AWS::KMS::Key' }), stackOf())).toMatchObject([{ how: 'removed' }]);
});

test('an allowed loss allows no other loss of the same resource', () => {
  const keyOf = (after?: Resource) => lossesBetween(stackOf(table), stackOf(after))[0]?.key;
  const third = withProperties({ KeySchema: [{ AttributeName: 'sub', KeyType: 'HASH' }] });
  expect(keyOf(otherKey)).toBe(keyOf({ ...otherKey, DeletionPolicy: 'Delete' }));
  expect(new Set([keyOf(otherKey), keyOf(third), keyOf()]).size).toBe(3);
});

test('a stage is compared with the commit that its stack has, which has to be here', async () => {
  const said = vi.spyOn(console, 'log').mockImplementation(() => {});
  const compare = (outputs: Record<string, string>) => run(['--deployed', 'staging'], async () => outputs);
  await compare({});
  await compare({ Commit: 'HEAD' });
  expect(said.mock.calls.flat()).toEqual([
    'Nothing is deployed to staging yet: nothing can be lost.',
    'Nothing is lost since HEAD.',
  ]);
  await expect(compare({ Commit: 'unknown' })).rejects.toThrow('There is no commit unknown here.');
});
