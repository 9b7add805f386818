import { describe, expect, test } from 'vitest';
import type { StageName } from '../../infra/stages/stages.ts';
import { stageNames, templatesOf } from '../fixtures/aws/stack.ts';
import { resources } from '../fixtures/aws/template.ts';

const templates = templatesOf();

describe.each(stageNames)('the data of %s', (stageName) => {
  const template = templates[stageName];

  test('keeps exports of users apart from everyone, encrypted, and for thirty days', () => {
    const [[, bucket] = []] = resources(template, 'AWS::S3::Bucket').filter(([id]) =>
      id.startsWith('DataBackups'),
    );
    expect(bucket?.Properties).toMatchObject({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      VersioningConfiguration: { Status: 'Enabled' },
      LifecycleConfiguration: {
        Rules: [
          {
            Status: 'Enabled',
            ExpirationInDays: 30,
            NoncurrentVersionExpiration: { NoncurrentDays: 1 },
          },
          { Status: 'Enabled', ExpiredObjectDeleteMarker: true },
        ],
      },
    });
    // A rule with a prefix or a filter wouldn't reach everything.
    expect(JSON.stringify(bucket?.Properties['LifecycleConfiguration'])).not.toMatch(/Prefix|Filter/);
  });

  test('keeps what support has done by account and time, out of reach of every function', () => {
    const tables = resources(template, 'AWS::DynamoDB::Table').map(([id]) => id);
    expect(tables.filter((id) => id.startsWith('DataSupportAudit'))).toHaveLength(1);
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      KeySchema: [
        { AttributeName: 'id', KeyType: 'HASH' },
        { AttributeName: 'at', KeyType: 'RANGE' },
      ],
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
    const policies = JSON.stringify(resources(template, 'AWS::IAM::Policy'));
    expect(policies).toContain('DataUserPlans');
    expect(policies).not.toContain('DataSupportAudit');
  });

  test('gives support rows by key, the waitlist, and lines to add, and nothing to delete', () => {
    const statements = resources(template, 'AWS::IAM::ManagedPolicy').flatMap(
      ([, { Properties }]) =>
        (Properties['PolicyDocument'] as { Statement: { Action: string | string[]; Resource: unknown }[] })
          .Statement,
    );
    const rights = statements.map(({ Action, Resource }) => {
      const on = /\bData([A-Z]\w+?)[0-9A-F]{8}\b/.exec(JSON.stringify(Resource))?.[1];
      return [[Action].flat().join(), ...(on ? [on] : [])].join(' on ');
    });
    expect(rights).toEqual([
      'cloudformation:DescribeStacks',
      'cognito-idp:ListUsers',
      'ses:GetSuppressedDestination',
      'dynamodb:GetItem,dynamodb:PutItem,dynamodb:UpdateItem on UserPlans',
      'dynamodb:GetItem,dynamodb:UpdateItem on StripeWork',
      'dynamodb:GetItem,dynamodb:Scan on Waitlist',
      'dynamodb:GetItem,dynamodb:PutItem on AddressChanges',
      'dynamodb:Query on AppSessions',
      'dynamodb:PutItem,dynamodb:Query on SupportAudit',
      'secretsmanager:GetSecretValue',
    ]);
    // Stripe's is the only secret, and no index of a table is allowed.
    const named = statements.filter(({ Action }) => Action !== 'ses:GetSuppressedDestination');
    const resourcesOf = JSON.stringify(named.map(({ Resource }) => Resource));
    expect(resourcesOf).toContain(`:secret:selfsame/${stageName}/stripe-??????`);
    // The commands name the stack, and know none of its ids.
    expect(resourcesOf).toContain(`:stack/selfsame-${stageName}/*`);
    template.hasResourceProperties('AWS::IAM::ManagedPolicy', {
      ManagedPolicyName: `selfsame-${stageName}-us-east-1-support`,
    });
    expect(resourcesOf).not.toMatch(/index|"\*"/);
  });

  test('names no secret, and so collides with no remains of one', () => {
    const secrets = resources(template, 'AWS::SecretsManager::Secret');
    expect(secrets.length).toBeGreaterThan(0);
    for (const [, { Properties }] of secrets) expect(Properties).not.toHaveProperty('Name');
  });

  test('contains nothing of the local world', () => {
    // Apps under development may listen there.
    const text = JSON.stringify(template.toJSON()).replaceAll(
      /http:\/\/(localhost|127\.0\.0\.1)\/callback/g,
      '',
    );
    expect(text).not.toMatch(/__local|localhost|127\.0\.0\.1/);
  });
});

const kept = ['AWS::DynamoDB::Table', 'AWS::Cognito::UserPool'];

test('production keeps its tables, accounts and exports when the stack is deleted, and staging deletes them', () => {
  const policies = (stageName: StageName) =>
    resources(templates[stageName])
      .filter(([id, { Type }]) => kept.includes(Type) || /^DataBackupsBucket[0-9A-F]{8}$/.test(id))
      .map(([, { DeletionPolicy }]) => DeletionPolicy);
  expect(new Set(policies('production'))).toEqual(new Set(['RetainExceptOnCreate']));
  expect(new Set(policies('staging'))).toEqual(new Set(['Delete']));
});

test('staging empties the bucket of exports, which could not be deleted otherwise', () => {
  const emptied = (stageName: StageName) =>
    JSON.stringify(resources(templates[stageName], 'Custom::S3AutoDeleteObjects')).includes(
      'DataBackupsBucket',
    );
  expect([emptied('staging'), emptied('production')]).toEqual([true, false]);
});
