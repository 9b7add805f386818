import { describe, expect, test } from 'vitest';
import { lossesBetween, sentenceOf } from '../../../../../infra/operate/review/losses.ts';
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
const withProperties = (properties: object): Resource => ({
  ...table,
  Properties: { ...table.Properties, ...properties },
});
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

describe.each<[string, object, object]>([
  ['AWS::Cognito::UserPoolDomain', { Domain: 'one' }, { Domain: 'other' }],
  ['AWS::S3::Bucket', {}, { BucketName: 'site' }],
  ['AWS::SQS::Queue', { QueueName: 'one' }, { QueueName: 'other' }],
  ['AWS::SecretsManager::Secret', {}, { Name: 'secret' }],
])('%s', (type, one, other) => {
  test('is lost by a property that only a new one can have', () => {
    const resource = (properties: object): Resource => ({ Type: type, Properties: { ...properties } });
    expect(lossesBetween(stackOf(resource(one)), stackOf(resource(other)))).toHaveLength(1);
  });
});

test('a key is lost when it is removed', () => {
  expect(lossesBetween(stackOf({ Type: 'AWS::KMS::Key' }), stackOf())).toMatchObject([{ how: 'removed' }]);
});

test('a placeholder that is replaced loses nothing', () => {
  const domain = (EmailIdentity: string): Resource => ({
    Type: 'AWS::SES::EmailIdentity',
    Properties: { EmailIdentity },
  });
  const to = stackOf(domain('other.test'));
  expect(lossesBetween(stackOf(domain('selfsame.example')), to)).toEqual([]);
  expect(lossesBetween(stackOf(domain('selfsame.test')), to)).toHaveLength(1);
});

test('a resource without state may be replaced', () => {
  const of = (FunctionName: string): Resource => ({
    Type: 'AWS::Lambda::Function',
    Properties: { FunctionName },
  });
  expect(lossesBetween(stackOf(of('one')), stackOf(of('other')))).toEqual([]);
});

test('an allowed loss allows no other loss of the same resource', () => {
  const keyOf = (after?: Resource) => lossesBetween(stackOf(table), stackOf(after))[0]?.key;
  const third = withProperties({ KeySchema: [{ AttributeName: 'sub', KeyType: 'HASH' }] });
  expect(keyOf(otherKey)).toBe(keyOf({ ...otherKey, DeletionPolicy: 'Delete' }));
  expect(new Set([keyOf(otherKey), keyOf(third), keyOf()]).size).toBe(3);
});
