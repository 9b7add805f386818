import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, CfnResource, Stack } from 'aws-cdk-lib';
import { describe, expect, test, vi } from 'vitest';
import { stageNames, syntheses } from '../fixtures/aws/stack.ts';
import { findingsOf } from '../fixtures/aws/validation-report.ts';

test.each(stageNames)('the template of %s fits the schemas of CloudFormation’s registry', (stageName) => {
  expect(syntheses()[stageName].findings).toEqual([]);
});

describe('a resource', () => {
  const findings = (type: string, properties: Record<string, unknown>): string[] => {
    // CDK prints them, too.
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const outdir = mkdtempSync(path.join(tmpdir(), 'selfsame-registry-'));
    const app = new App({ outdir, analyticsReporting: false });
    new CfnResource(new Stack(app, 'stack'), 'Checked', { type, properties });
    app.synth();
    vi.restoreAllMocks();
    return findingsOf(app);
  };
  const table = {
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  };

  test('that fits is accepted', () => {
    expect(findings('AWS::Cognito::UserPool', { UserPoolTier: 'LITE' })).toEqual([]);
  });

  test.each<[string, string, Record<string, unknown>, string]>([
    ['an unknown property', 'AWS::Cognito::UserPool', { UserPoolTear: 'LITE' }, 'UserPoolTear'],
    ['a word that no enum has', 'AWS::Cognito::UserPool', { UserPoolTier: 'LIGHT' }, 'LIGHT'],
    ['a wrong type', 'AWS::Cognito::UserPool', { AutoVerifiedAttributes: {} }, 'AutoVerifiedAttributes'],
    ['a missing property', 'AWS::DynamoDB::Table', { ...table, KeySchema: undefined }, 'KeySchema'],
  ])('with %s is found', (_, type, properties, named) => {
    expect(findings(type, properties).join('\n')).toContain(named);
  });
});
