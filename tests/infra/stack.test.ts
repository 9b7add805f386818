import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Stage, type StageName, stages } from '../../infra/stages.ts';
import { api, type Endpoint } from '../../schemas/api.ts';
import {
  backgroundFunctions,
  type Need,
  needs,
  OAuthClientSecret,
  StripeSecret,
} from '../../schemas/environment.ts';
import { RelayAddress } from '../../schemas/relay-address.ts';
import { INLINE_SCRIPT, templateOf } from '../fixtures/stack.ts';

interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
}

const stageNames = Object.keys(stages) as StageName[];
const templates = Object.fromEntries(
  stageNames.map((stageName) => [stageName, templateOf({ stageName })]),
) as Record<StageName, Template>;

const resources = (template: Template, type?: string): [string, Resource][] =>
  Object.entries(template.toJSON()['Resources'] as Record<string, Resource>).filter(
    ([, resource]) => !type || resource.Type === type,
  );

/** Our function that a description names, with all the policy statements of its role. */
function functionOf(template: Template, description: string) {
  const [found] = resources(template, 'AWS::Lambda::Function').filter(
    ([, { Properties }]) => Properties['Description'] === description,
  );
  if (!found) throw new Error(`The template has no function "${description}".`);
  const [, { Properties }] = found;
  const role = (Properties['Role'] as { 'Fn::GetAtt': [string] })['Fn::GetAtt'][0];
  const policies = resources(template, 'AWS::IAM::Policy').filter(([, policy]) =>
    JSON.stringify(policy.Properties['Roles']).includes(role),
  );
  return {
    variables: (Properties['Environment'] as { Variables?: Record<string, unknown> } | undefined)?.Variables,
    policy: JSON.stringify(policies.map(([, policy]) => policy.Properties['PolicyDocument'])),
  };
}

const routes: [string, Endpoint][] = Object.entries(api);
const functionsWithNeeds: [string, readonly Need[]][] = [
  ...routes.map(([, { method, path, needs }]): [string, readonly Need[]] => [`${method} /api${path}`, needs]),
  ['Frees plans whose time has passed, after asking Stripe.', backgroundFunctions['schedules/expiry-sweep']],
  [
    "Reads Stripe's event list and makes up for webhooks that were lost.",
    backgroundFunctions['schedules/event-catch-up'],
  ],
  ['Opens the Free plan of a new account.', backgroundFunctions['triggers/post-confirmation']],
  ['Writes the mail that Cognito sends.', backgroundFunctions['triggers/custom-message']],
  [
    'Says whether somebody who comes by Google or GitHub joins an account that stands.',
    backgroundFunctions['triggers/pre-sign-up'],
  ],
];

describe.each(stageNames)('the stack of %s', (stageName) => {
  const template = templates[stageName];

  test.each(routes)('serves %s to the callers the table names', (_, { method, path, caller }) => {
    template.hasResourceProperties('AWS::ApiGatewayV2::Route', {
      RouteKey: `${method} ${path}`,
      AuthorizationType: caller === 'bearer' ? 'JWT' : 'NONE',
      AuthorizationScopes: caller === 'bearer' ? ['aws.cognito.signin.user.admin'] : Match.absent(),
    });
  });

  test('serves no route that the table does not name', () => {
    template.resourceCountIs('AWS::ApiGatewayV2::Route', routes.length);
  });

  test.each(functionsWithNeeds)(
    'gives "%s" the environment of its needs and no more',
    (description, wanted) => {
      const { variables = {} } = functionOf(template, description);
      const expected = wanted.flatMap((need) => Object.keys(needs[need]));
      expect(new Set(Object.keys(variables))).toEqual(new Set(expected));
    },
  );

  test.each(functionsWithNeeds)('gives "%s" the rights of its needs and no more', (description, wanted) => {
    const { policy } = functionOf(template, description);
    const may = (need: Need) => wanted.includes(need);
    expect(policy.includes('secretsmanager:GetSecretValue')).toBe(
      may('stripe') || may('github') || may('signIdentities'),
    );
    expect(policy.includes('dynamodb:UpdateItem')).toBe(may('writePlans'));
    expect(policy.includes('dynamodb:PutItem')).toBe(may('writePlans') || may('joinWaitlist'));
    expect(policy.includes('dynamodb:DeleteItem')).toBe(may('deletePlans'));
    expect(policy.includes('cognito-idp:ListUsers')).toBe(
      may('findAccounts') || wanted === backgroundFunctions['triggers/pre-sign-up'],
    );
    expect(policy.includes('kms:Sign')).toBe(may('signIdentities'));
    expect(policy.includes('ses:SendEmail')).toBe(may('mail'));
    expect(policy).not.toMatch(/dynamodb:(\*|Scan|DeleteTable)/);
    expect(policy).not.toMatch(/"Action":"[^"]*\*"/);
  });

  test('knows nothing of a local world', () => {
    expect(JSON.stringify(template.toJSON())).not.toMatch(/__local|localhost|127\.0\.0\.1/);
  });

  test('keeps accounts as decided', () => {
    template.hasResourceProperties('AWS::Cognito::UserPool', {
      UserPoolTier: 'LITE',
      UsernameAttributes: ['email'],
      UsernameConfiguration: { CaseSensitive: false },
      AutoVerifiedAttributes: ['email'],
      Policies: {
        PasswordPolicy: {
          MinimumLength: 6,
          RequireLowercase: false,
          RequireNumbers: false,
          RequireSymbols: false,
          RequireUppercase: false,
        },
      },
      LambdaConfig: {
        CustomMessage: Match.anyValue(),
        PostConfirmation: Match.anyValue(),
        PreSignUp: Match.anyValue(),
      },
    });
    template.hasResourceProperties('AWS::Cognito::UserPoolClient', {
      PreventUserExistenceErrors: 'ENABLED',
      AccessTokenValidity: 15,
      IdTokenValidity: 15,
      RefreshTokenValidity: 86_400,
      TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'minutes' },
      EnableTokenRevocation: true,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email', 'profile', 'aws.cognito.signin.user.admin'],
      SupportedIdentityProviders: ['Google', 'GitHub'],
    });
  });

  test('gives other apps a client that opens neither the account nor the API', () => {
    const clients = resources(template, 'AWS::Cognito::UserPoolClient');
    const [relay] = clients.filter(([id]) => id.includes('Relay'));
    expect(clients).toHaveLength(2);
    expect(relay?.[1].Properties).toMatchObject({
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email', 'profile'],
    });
    const authorizers = resources(template, 'AWS::ApiGatewayV2::Authorizer');
    expect(JSON.stringify(authorizers)).not.toContain(String(relay?.[0]));
  });

  test('lets the relay send to nothing that could run as a script or be read on the way', () => {
    for (const address of stages[stageName].relayAddresses) {
      expect(RelayAddress.safeParse(address)).toMatchObject({ success: true });
    }
  });

  test('reads the providers’ secrets from Secrets Manager, and puts none into the template', () => {
    const providers = resources(template, 'AWS::Cognito::UserPoolIdentityProvider');
    expect(providers).toHaveLength(2);
    for (const [, { Properties }] of providers) {
      const { client_secret } = Properties['ProviderDetails'] as { client_secret: unknown };
      expect(JSON.stringify(client_secret)).toContain('{{resolve:secretsmanager:');
    }
  });

  test('lets the pool’s trigger end sessions of this pool and of no other', () => {
    const { policy } = functionOf(template, 'Opens the Free plan of a new account.');
    expect(policy).toContain('cognito-idp:AdminUserGlobalSignOut');
    const [ending] = resources(template, 'AWS::IAM::Policy').filter(([, { Properties }]) =>
      JSON.stringify(Properties).includes('cognito-idp:AdminUserGlobalSignOut'),
    );
    expect(ending?.[1].Properties['PolicyDocument']).toMatchObject({
      Statement: [{ Resource: { 'Fn::GetAtt': [expect.stringMatching(/^IdentityPool/), 'Arn'] } }],
    });
  });

  test('lets the pool’s trigger join accounts of this pool and of no other', () => {
    const [joining] = resources(template, 'AWS::IAM::Policy').filter(([, { Properties }]) =>
      JSON.stringify(Properties).includes('cognito-idp:AdminLinkProviderForUser'),
    );
    expect(joining?.[1].Properties['PolicyDocument']).toMatchObject({
      Statement: [{ Resource: { 'Fn::GetAtt': [expect.stringMatching(/^IdentityPool/), 'Arn'] } }],
    });
  });

  test('finds expired plans through a sparse index of keys', () => {
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by_expiry',
          KeySchema: [
            { AttributeName: 'expiry_shard', KeyType: 'HASH' },
            { AttributeName: 'plan_expires_at', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });

  test('sweeps every hour, under names that say which stage', () => {
    for (const name of ['expiry-sweep', 'event-catch-up']) {
      template.hasResourceProperties('AWS::Scheduler::Schedule', {
        Name: `selfsame-${stageName}-${name}`,
        ScheduleExpression: Match.stringLikeRegexp(String.raw`^cron\(\d+ \* \* \* \? \*\)$`),
        State: 'ENABLED',
      });
    }
  });

  test('reaches the API through the site’s own domain, uncached', () => {
    template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({
        CacheBehaviors: [
          Match.objectLike({
            PathPattern: '/api/*',
            // CachingDisabled and AllViewerExceptHostHeader: managed policies have fixed ids.
            CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
            OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
            ViewerProtocolPolicy: 'https-only',
          }),
        ],
        HttpVersion: 'http2and3',
      }),
    });
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', { StageName: 'api', AutoDeploy: true });
  });

  test('lets no one address use up what is there for everybody', () => {
    template.hasResourceProperties('AWS::WAFv2::WebACL', {
      Scope: 'CLOUDFRONT',
      Rules: [
        Match.objectLike({ Statement: { RateBasedStatement: Match.objectLike({ AggregateKeyType: 'IP' }) } }),
      ],
    });
    template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({
        WebACLId: { 'Fn::GetAtt': [Match.stringLikeRegexp('^Firewall'), 'Arn'] },
      }),
    });
  });

  test('tells a missing file from a forbidden one, and lets nobody write', () => {
    const [[, policy] = []] = resources(template, 'AWS::S3::BucketPolicy');
    const document = policy?.Properties['PolicyDocument'] as
      | { Statement: { Effect: string; Action: string | string[] }[] }
      | undefined;
    const allowed = document?.Statement.filter(({ Effect }) => Effect === 'Allow').flatMap(
      ({ Action }) => Action,
    );
    expect(new Set(allowed)).toEqual(new Set(['s3:GetObject', 's3:ListBucket']));
  });

  test('runs the scripts that stand in the pages by their hash, and no other inline', () => {
    const hash = createHash('sha256').update(INLINE_SCRIPT).digest('base64');
    const policy = JSON.stringify(resources(template, 'AWS::CloudFront::ResponseHeadersPolicy'));
    const [, scripts] = /script-src ([^;]*);/.exec(policy) ?? [];
    expect(scripts).toContain(`'sha256-${hash}'`);
    expect(scripts).not.toMatch(/unsafe|data:|\*(?!\.js\.stripe\.com)/);
  });

  test('keeps no error for the next person, and puts no page in the place of what the API says', () => {
    template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({
        CustomErrorResponses: Match.exact(
          [400, 403, 404, 405, 414, 500, 501, 502, 503, 504].map((ErrorCode) => ({
            ErrorCode,
            ErrorCachingMinTTL: 0,
          })),
        ),
      }),
    });
  });

  test('begins with secrets that no function takes for real keys', () => {
    const byHand = resources(template, 'AWS::SecretsManager::Secret').filter(([, { Properties }]) =>
      String(Properties['Description']).includes('Put the real ones here'),
    );
    const made = byHand.map(([, { Properties }]) => {
      const { SecretStringTemplate, GenerateStringKey } = Properties['GenerateSecretString'] as {
        SecretStringTemplate: string;
        GenerateStringKey: string;
      };
      return { ...(JSON.parse(SecretStringTemplate) as object), [GenerateStringKey]: 'made up' };
    });
    const taken = (value: object) =>
      StripeSecret.safeParse(value).success || OAuthClientSecret.safeParse(value).success;
    expect(made.map(taken)).toEqual([false, false]);
  });

  test('lets pages load what Stripe and Cognito need, and be framed by nobody', () => {
    const [headers] = resources(template, 'AWS::CloudFront::ResponseHeadersPolicy');
    const policy = JSON.stringify(headers?.[1].Properties);
    expect(policy).toMatch(/script-src 'self' 'sha256-[^ ]+' https:\/\/js\.stripe\.com/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("script-src 'self' 'unsafe-inline'");
    expect(policy).toContain('no-referrer');
  });

  test('throttles what anyone may call more than the rest', () => {
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      DefaultRouteSettings: Match.objectLike({ ThrottlingRateLimit: stages[stageName].throttle.rate }),
      RouteSettings: { 'POST /waitlist': { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 10 } },
    });
  });

  test.each(['GET /export', 'GET /billing', 'POST /update-card'])(
    'leaves a share of Stripe’s patience to those who pay, however often %s is called',
    (route) => {
      template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
        RouteSettings: { [route]: { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 50 } },
      });
    },
  );

  test('runs every function of ours on Node.js 24 and arm64', () => {
    // CDK's own, which uploads the site, is written in Python.
    const ours = resources(template, 'AWS::Lambda::Function').filter(
      ([, { Properties }]) => !String(Properties['Runtime']).startsWith('python'),
    );
    expect(ours).toHaveLength(functionsWithNeeds.length);
    for (const [, { Properties }] of ours) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    }
  });

  test('notices webhooks that are refused, which no function counts as an error', () => {
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '{ ($.route = "*/stripe/webhook") && ($.status >= 400) }',
    });
  });

  test('has no alarm over Cognito’s mail that refusals could set off', () => {
    const [[, alarm] = []] = resources(template, 'AWS::CloudWatch::Alarm').filter(([, { Properties }]) =>
      String(Properties['AlarmDescription']).startsWith('Nobody can sign up or reset a password'),
    );
    const refusals = { MetricName: 'RefusedMessages', Namespace: `selfsame-${stageName}` };
    expect(alarm?.Properties).toMatchObject({
      Threshold: 1,
      Metrics: expect.arrayContaining([
        expect.objectContaining({ Expression: 'errors - FILL(refusals, 0)' }),
        expect.objectContaining({
          Id: 'errors',
          MetricStat: expect.objectContaining({
            Metric: expect.objectContaining({ Namespace: 'AWS/Lambda', MetricName: 'Errors' }),
          }),
        }),
        expect.objectContaining({
          Id: 'refusals',
          MetricStat: expect.objectContaining({ Metric: refusals, Stat: 'Sum' }),
        }),
      ]),
    });
    template.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '{ $.message.refused = "*" }',
      LogGroupName: { Ref: Match.stringLikeRegexp('^CustomMessageLogs') },
      MetricTransformations: [
        { MetricName: refusals.MetricName, MetricNamespace: refusals.Namespace, MetricValue: '1' },
      ],
    });
  });

  test('has no alarm that does not say what a person loses', () => {
    const alarms = resources(template, 'AWS::CloudWatch::Alarm');
    expect(alarms.length).toBeGreaterThan(routes.length);
    for (const [, { Properties }] of alarms) {
      expect(Properties['AlarmDescription']).toMatch(/\w+.*\. See /);
    }
  });
});

describe('refresh token rotation', () => {
  const clientsOn = (featurePlan: Stage['featurePlan']) => {
    const stage = { ...stages.staging, featurePlan };
    const template = templateOf({ stageName: 'staging', stage });
    template.hasResourceProperties('AWS::Cognito::UserPool', { UserPoolTier: featurePlan });
    const clients = resources(template, 'AWS::Cognito::UserPoolClient');
    const named = (name: string) => clients.find(([id]) => id.includes(name))?.[1].Properties;
    return { site: named('Site'), relay: named('Relay') };
  };

  test('is in no client of a Lite pool, and each may refresh without', () => {
    const { site, relay } = clientsOn('LITE');
    for (const client of [site, relay]) expect(client).not.toHaveProperty('RefreshTokenRotation');
    expect(site?.['ExplicitAuthFlows']).toEqual(['ALLOW_USER_SRP_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH']);
    expect(relay?.['ExplicitAuthFlows']).toEqual(['ALLOW_REFRESH_TOKEN_AUTH']);
  });

  test('is in every client of an Essentials pool, none of which has the flow that it replaces', () => {
    const { site, relay } = clientsOn('ESSENTIALS');
    for (const client of [site, relay]) {
      expect(client?.['RefreshTokenRotation']).toEqual({ Feature: 'ENABLED', RetryGracePeriodSeconds: 30 });
    }
    expect(site?.['ExplicitAuthFlows']).toEqual(['ALLOW_USER_SRP_AUTH']);
    expect(relay?.['ExplicitAuthFlows']).toEqual(['ALLOW_CUSTOM_AUTH']);
  });
});

test('production keeps its tables and accounts when the stack is deleted; staging cleans up', () => {
  const policies = (stageName: StageName) =>
    ['AWS::DynamoDB::Table', 'AWS::Cognito::UserPool'].flatMap((type) =>
      resources(templates[stageName], type).map(([, { DeletionPolicy }]) => DeletionPolicy),
    );
  expect(new Set(policies('production'))).toEqual(new Set(['Retain']));
  expect(new Set(policies('staging'))).toEqual(new Set(['Delete']));
});

describe('a route added to the table', () => {
  const hello = {
    method: 'GET',
    path: '/hello',
    caller: 'bearer',
    needs: ['readPlans'],
    response: z.object({}),
    status: 200,
    refusals: [],
  } as const satisfies Endpoint;

  const handlersWith = (file: string): string => {
    const folder = mkdtempSync(path.join(tmpdir(), 'selfsame-handlers-'));
    for (const entry of [file, ...Object.keys(backgroundFunctions)]) {
      mkdirSync(path.dirname(path.join(folder, entry)), { recursive: true });
      writeFileSync(path.join(folder, `${entry}.ts`), 'export const handler = async () => ({});');
    }
    return folder;
  };

  test('is in the template with its function, its authorizer and the rights it needs', () => {
    const template = templateOf({
      stageName: 'staging',
      routes: { hello },
      handlers: handlersWith('api/hello'),
    });
    template.hasResourceProperties('AWS::ApiGatewayV2::Route', {
      RouteKey: 'GET /hello',
      AuthorizationType: 'JWT',
    });
    const { variables, policy } = functionOf(template, 'GET /api/hello');
    expect(Object.keys(variables ?? {})).toEqual(['PLANS_TABLE']);
    expect(policy).toContain('dynamodb:GetItem');
    expect(policy).not.toContain('dynamodb:PutItem');
  });

  test('without its handler file is one clear sentence', () => {
    expect(() =>
      templateOf({ stageName: 'staging', routes: { hello }, handlers: handlersWith('api/other') }),
    ).toThrow(/There is no handler file .*api\/hello\.ts/);
  });
});

test('every handler file is served by something', () => {
  for (const [name, { caller }] of routes) {
    const folder = { bearer: 'api', anyone: 'api', stripe: 'webhooks', cognito: 'github-oidc' }[caller];
    expect(existsSync(`functions/${folder}/${name}.ts`)).toBe(true);
  }
});
