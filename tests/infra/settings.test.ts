import type { Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { stackOf, templatesOf, testedStages } from '../fixtures/aws/stack.ts';
import { importedPool, resources, rightsOf, variablesOf } from '../fixtures/aws/template.ts';
import { tableIds } from '../../schemas/tables.ts';

const protectedTypes = ['AWS::DynamoDB::Table', 'AWS::Cognito::UserPool'];
const protectionOf = (template: Template): Set<unknown> =>
  new Set(
    protectedTypes.flatMap((type) =>
      resources(template, type).map(
        ([, { Properties }]) => Properties['DeletionProtectionEnabled'] ?? Properties['DeletionProtection'],
      ),
    ),
  );

const RESTORED = 'selfsame-production-RestoredUserPlans-20261122T101500Z';

describe('production in another region, without GitHub, with mail through SES, for the first time', () => {
  const stack = stackOf({
    stageName: 'production',
    stage: {
      ...testedStages.production,
      alarmEmail: 'put_yours_here@selfsame.test',
      region: 'us-west-2',
      providers: ['google'],
      sendsThroughSes: true,
      restoredTables: { UserPlans: RESTORED },
      userPoolNumber: 2,
      signUpsClosed: true,
      domain: {
        name: 'www.selfsame.test',
        also: 'selfsame.test',
        certificateArn: 'arn:aws:acm:us-east-1:1:certificate/1',
        subdomainsNeedTls: true,
      },
    },
    isFirst: true,
    secretVersions: { google: '0d0e' },
  });
  const template = Template.fromStack(stack);

  test('is not deployed while a setting is a placeholder', () => {
    const errors = Annotations.fromStack(stack).findError('*', Match.anyValue());
    expect(errors.map(({ entry }) => entry.data)).toContain(
      'alarmEmail is still a placeholder. Set it in infra/stages/production.ts.',
    );
  });

  // Production is deployed with --strict, which takes no warning.
  test('has no warning', () => {
    const warnings = [stack, stack.node.root.node.findChild('selfsame-production-edge') as Stack].flatMap(
      (each) => Annotations.fromStack(each).findWarning('*', Match.anyValue()),
    );
    expect(warnings.map(({ entry }) => entry.data)).toEqual([]);
  });

  test('protects nothing from deletion, so that a failure can be removed', () => {
    expect(stack.terminationProtection).toBe(false);
    expect(protectionOf(template)).toEqual(new Set([false, 'INACTIVE']));
  });

  test('has its web ACL in us-east-1, in a stack that is deployed before', () => {
    const edge = stack.node.root.node.findChild('selfsame-production-edge') as Stack;
    expect([stack.region, edge.region]).toEqual(['us-west-2', 'us-east-1']);
    expect(stack.dependencies).toContain(edge);
    Template.fromStack(edge).resourceCountIs('AWS::WAFv2::WebACL', 1);
    const acls = resources(template, 'AWS::WAFv2::WebACL').map(([, { Properties }]) => Properties['Scope']);
    expect(acls).toEqual(['REGIONAL']);
    const [[, distribution] = []] = resources(template, 'AWS::CloudFront::Distribution');
    expect(distribution?.Properties).toHaveProperty('DistributionConfig.WebACLId');
  });

  test('has both names of its site, asks for TLS on their subdomains, and links to the first', () => {
    const [[, distribution] = []] = resources(template, 'AWS::CloudFront::Distribution');
    expect(distribution?.Properties).toMatchObject({
      DistributionConfig: { Aliases: ['www.selfsame.test', 'selfsame.test'] },
    });
    template.allResourcesProperties('AWS::CloudFront::ResponseHeadersPolicy', {
      ResponseHeadersPolicyConfig: {
        SecurityHeadersConfig: { StrictTransportSecurity: { IncludeSubdomains: true } },
      },
    });
    template.hasOutput('SiteUrl', { Value: 'https://www.selfsame.test' });
  });

  test('shows the metrics of CloudFront and of the web ACL from us-east-1', () => {
    const [[, dashboard] = []] = resources(template, 'AWS::CloudWatch::Dashboard');
    const body = JSON.stringify(dashboard?.Properties['DashboardBody']);
    const metrics = body.split(/AWS.(?=CloudFront|WAFV2)/).slice(1);
    const regional = metrics.filter((metric) => !metric.split(']')[0]?.includes('us-east-1'));
    expect(metrics.length).toBeGreaterThan(2);
    expect(regional).toEqual([expect.stringContaining('selfsame-production-sign-in')]);
  });

  test('has no key, no secret, no function and no alarm for GitHub', () => {
    template.resourceCountIs('AWS::KMS::Key', 0);
    const secrets = resources(template, 'AWS::SecretsManager::Secret').map(([id]) => id);
    expect(secrets).toEqual([
      expect.stringMatching(/^WebsiteOriginKeys/),
      expect.stringMatching(/^IdentityAppTokens/),
      expect.stringMatching(/^IdentityProofs/),
    ]);
    expect(JSON.stringify(resources(template, 'AWS::CloudWatch::Alarm'))).not.toMatch(/github-|GitHub/);
    expect(JSON.stringify(resources(template, 'AWS::Lambda::Function'))).not.toMatch(/github/i);
    template.resourceCountIs('AWS::Cognito::UserPoolIdentityProvider', 1);
  });

  test('makes the pool after the identity of its mail, and writes the mails itself', () => {
    const [[, pool] = []] = resources(template, 'AWS::Cognito::UserPool');
    expect(pool?.DependsOn).toContainEqual(expect.stringMatching(/^MailSenderDomain/));
    expect(JSON.stringify(importedPool(template))).not.toMatch(/"(?:Ref|Fn::\w+|DependsOn)"/);
    expect(pool?.Properties['EmailConfiguration']).toMatchObject({
      EmailSendingAccount: 'DEVELOPER',
      ConfigurationSet: { Ref: expect.stringMatching(/^MailSenderConfigurationSet/) as string },
    });
    expect(variablesOf(template, 'TriggersCustomMessage')).toMatchObject({ SENDS_THROUGH_SES: 'true' });
  });

  test('uses a restored table, with its indexes, in place of the stack’s own', () => {
    const tables = resources(template, 'AWS::DynamoDB::Table').map(([id]) => id.slice(0, -8));
    const others = tableIds.filter((id) => id !== 'UserPlans');
    expect(tables.toSorted()).toEqual(others.map((id) => `Data${id}`).toSorted());
    expect(variablesOf(template, 'SchedulesExpirySweep')).toMatchObject({ USER_PLANS_TABLE: RESTORED });
    expect(rightsOf(template, 'ApiPlan').join('\n')).toMatch(new RegExp(`table/${RESTORED}$`, 'm'));
    expect(rightsOf(template, 'SchedulesExpirySweep').join('\n')).toContain(`table/${RESTORED}/index/`);
    const using = resources(template, 'AWS::Lambda::Function').map(
      ([, { Properties }]) =>
        (Properties['Environment'] as { Variables?: Record<string, unknown> } | undefined)?.Variables?.[
          'USER_PLANS_TABLE'
        ],
    );
    expect(new Set(using.filter(Boolean))).toEqual(new Set([RESTORED]));
  });

  test('has a new pool in place of a lost one, with clients of its own', () => {
    const pools = resources(template, 'AWS::Cognito::UserPool').map(([id]) => id.slice(0, -8));
    expect(pools).toEqual(['IdentityPool2']);
    for (const [id] of resources(template, 'AWS::Cognito::UserPoolClient')) {
      expect(id).toMatch(/^IdentityPool2/);
    }
  });

  test('lets nobody create an account while sign-ups are closed, and keeps the providers', () => {
    template.hasResourceProperties('AWS::Cognito::UserPool', {
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
    });
    template.hasResourceProperties('AWS::Cognito::UserPoolIdentityProvider', { ProviderName: 'Google' });
    const clients = resources(template, 'AWS::Cognito::UserPoolClient');
    expect(clients.length).toBeGreaterThan(1);
    for (const [, { Properties }] of clients) {
      expect(Properties['SupportedIdentityProviders'] ?? []).not.toContain('Google');
    }
  });

  test('names the version of Google’s secret, so that CloudFormation reads a new one', () => {
    template.hasResourceProperties('AWS::Cognito::UserPoolIdentityProvider', {
      ProviderDetails: Match.objectLike({
        client_secret:
          '{{resolve:secretsmanager:selfsame/production/google:SecretString:clientSecret::0d0e}}',
      }),
    });
  });
});

const { production, staging } = templatesOf();

test('production is protected from deletion once it exists, and staging is not', () => {
  expect(protectionOf(production)).toEqual(new Set([true, 'ACTIVE']));
  expect(protectionOf(staging)).toEqual(new Set([false, 'INACTIVE']));
});
