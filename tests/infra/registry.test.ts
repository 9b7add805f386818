import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, CloudFormationValidatePlugin } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { stageNames, templatesOf } from '../fixtures/stack.ts';

const Document = z.looseObject({
  Resources: z.record(z.string(), z.looseObject({ Type: z.string(), Properties: z.optional(z.unknown()) })),
});
type Document = z.infer<typeof Document>;

// AWS's own checks, with the schemas of CloudFormation's registry, which aws-cdk-lib brings along. A synthesis
// runs them too, but only prints what they find.
const plugin = new CloudFormationValidatePlugin();
const appConstruct = new App({ analyticsReporting: false });
const folder = mkdtempSync(path.join(tmpdir(), 'selfsame-registry-'));

/** What is wrong with a template: rule, severity, logical ids and description, a line for each finding. */
function findingsIn(document: Document): string[] {
  const templatePath = path.join(folder, 'template.json');
  writeFileSync(templatePath, JSON.stringify(document));
  const stack = {
    stackConstructPath: 'stack',
    templatePath,
    accountId: '123456789012',
    region: 'us-east-1',
  };
  const { violations } = plugin.validate({
    appConstruct,
    templatePaths: [templatePath],
    stackTemplates: [stack],
  });
  return violations.map(({ ruleName, severity, description, violatingResources }) => {
    const ids = violatingResources.map(({ resourceLogicalId }) => resourceLogicalId);
    return `${ruleName} ${severity} ${ids.join(', ')}: ${description}`;
  });
}

const documents = templatesOf();

describe.each(stageNames)('the template of %s', (stageName) => {
  const document = Document.parse(documents[stageName].toJSON());

  test('fits the schemas of CloudFormation’s registry', () => {
    expect(findingsIn(document)).toEqual([]);
  });
});

describe('a template', () => {
  const table = {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    },
  };
  const pool = (properties: object) => ({ Type: 'AWS::Cognito::UserPool', Properties: properties });
  const findings = (resource: Document['Resources'][string]) =>
    findingsIn({ Resources: { Checked: resource } });

  test('that fits is accepted', () => {
    expect(findings(pool({ UserPoolTier: 'LITE' }))).toEqual([]);
  });

  test.each<[string, Document['Resources'][string], RegExp]>([
    ['an unknown property', pool({ UserPoolTear: 'LITE' }), /UserPoolTear/],
    ['a word that no enum has', pool({ UserPoolTier: 'LIGHT' }), /LIGHT/],
    ['a wrong type', pool({ AutoVerifiedAttributes: { email: true } }), /AutoVerifiedAttributes/],
    [
      'a missing property',
      { ...table, Properties: { ...table.Properties, KeySchema: undefined } },
      /KeySchema/,
    ],
    ['an unknown type', { ...table, Type: 'AWS::DynamoDB::Tableau' }, /Tableau/],
  ])('with %s is found', (_, resource, text) => {
    expect(findings(resource).join('\n')).toMatch(text);
  });
});
