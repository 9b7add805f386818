import { describe, expect, test } from 'vitest';
import { api } from '../../schemas/api.ts';
import { type Endpoint, sessionTables } from '../../schemas/routes/endpoint.ts';
import { ORIGIN_KEY_HEADER, ORIGIN_KEYS } from '../../schemas/config/origin-key.ts';
import { pascalCase } from '../../infra/constructs/api/api.ts';
import { stageNames, templatesOf, testedStages } from '../fixtures/aws/stack.ts';
import { addressRules, type RateRule } from '../fixtures/aws/rate-rules.ts';
import { resources, rightsOfRole, variablesOf } from '../fixtures/aws/template.ts';

const templates = templatesOf();
const routes: [string, Endpoint][] = Object.entries(api);

test.each([
  'change-email',
  'change-password',
  'change-provider',
  'create-checkout-session',
  'delete-account',
  'export',
  'sessions',
] as const)('notes the session that calls %s, which has the rights', (name) => {
  const { notesSession, tables, needs }: Endpoint = api[name];
  expect(notesSession).toBe(true);
  expect(needs).toEqual(expect.arrayContaining(['mail', 'site']));
  for (const [table, actions] of Object.entries(sessionTables)) {
    expect(tables?.[table as keyof typeof sessionTables]).toEqual(expect.arrayContaining([...actions]));
  }
});

describe.each(stageNames)('the API of %s', (stageName) => {
  const template = templates[stageName];

  const clientOf = (name: string) =>
    resources(template, 'AWS::Cognito::UserPoolClient').find(([id]) => id.includes(name))?.[0];
  const authorizers = new Map(resources(template, 'AWS::ApiGatewayV2::Authorizer'));
  /** The authorization of a route: its scopes, and the clients whose tokens it accepts. */
  const authorizationOf = ({ method, path }: Endpoint) => {
    const found = resources(template, 'AWS::ApiGatewayV2::Route').find(
      ([, { Properties }]) => Properties['RouteKey'] === `${method} ${path}`,
    );
    const { AuthorizationType, AuthorizationScopes, AuthorizerId } = found?.[1].Properties ?? {};
    const authorizer = authorizers.get((AuthorizerId as { Ref: string } | undefined)?.Ref ?? '');
    const { Audience } = (authorizer?.Properties['JwtConfiguration'] ?? {}) as {
      Audience?: { Ref: string }[];
    };
    return [AuthorizationType, AuthorizationScopes, Audience?.map(({ Ref }) => Ref)];
  };
  const SITE = 'aws.cognito.signin.user.admin';

  test.each(routes)('serves %s to the callers that the route table names', (_, endpoint) => {
    const { caller, appToken } = endpoint;
    const canary = clientOf('Canary');
    const expected = appToken
      ? ['JWT', [SITE, 'openid'], [clientOf('Site'), clientOf('Relay'), ...(canary ? [canary] : [])]]
      : ['JWT', [SITE], [clientOf('Site')]];
    expect(authorizationOf(endpoint)).toEqual(
      caller === 'bearer' ? expected : ['NONE', undefined, undefined],
    );
  });

  test('accepts tokens of a canary in the stage that has one', () => {
    expect(clientOf('Canary') !== undefined).toBe(testedStages[stageName].canary === true);
  });

  test('serves no route that the route table does not name', () => {
    template.resourceCountIs('AWS::ApiGatewayV2::Route', routes.length);
  });

  test('calls the function of each route by a role that may call these functions alone', () => {
    const integrations = resources(template, 'AWS::ApiGatewayV2::Integration').map(
      ([, { Properties }]) => Properties as { CredentialsArn: Arn; IntegrationUri: Arn },
    );
    const [role = ''] = new Set(integrations.map(({ CredentialsArn }) => CredentialsArn['Fn::GetAtt'][0]));
    const called = integrations.map(({ IntegrationUri }) => IntegrationUri['Fn::GetAtt'][0]);
    expect(called.map(withoutHash).toSorted()).toEqual(
      routes.map(([name]) => `Api${pascalCase(name)}`).toSorted(),
    );
    expect(rightsOfRole(template, role)).toEqual(
      called.map((id) => `lambda:InvokeFunction ${withoutHash(id)}`).toSorted(),
    );
  });

  test('accepts only what CloudFront sends on, in every function with a route', () => {
    const [[, distribution] = []] = resources(template, 'AWS::CloudFront::Distribution');
    const { Origins } = (distribution?.Properties['DistributionConfig'] ?? { Origins: [] }) as {
      Origins: { OriginCustomHeaders?: { HeaderName: string; HeaderValue: unknown }[] }[];
    };
    const headers = Origins.flatMap(({ OriginCustomHeaders = [] }) => OriginCustomHeaders);
    expect(headers.map(({ HeaderName }) => HeaderName)).toEqual([ORIGIN_KEY_HEADER]);
    const sent = headers[0]?.HeaderValue;
    expect(JSON.stringify(sent)).toMatch(/\{\{resolve:secretsmanager:.*OriginKeys.*SecretString:key/);
    for (const [name] of routes) {
      const variables = variablesOf(template, `Api${pascalCase(name)}`);
      expect(variables?.[ORIGIN_KEYS]).toEqual(sent);
    }
  });
});

describe('with a firewall, the API', () => {
  const { production } = templates;
  /** The throttle of a route, and the firewall's limits of one address there. */
  const limitsOf = ({ method, path }: Endpoint) => {
    const [[, stage] = []] = resources(production, 'AWS::ApiGatewayV2::Stage');
    const { DefaultRouteSettings, RouteSettings = {} } = (stage?.Properties ?? {}) as {
      DefaultRouteSettings?: Throttle;
      RouteSettings?: Record<string, Throttle>;
    };
    const throttle = { ...DefaultRouteSettings, ...RouteSettings[`${method} ${path}`] };
    return {
      rate: throttle.ThrottlingRateLimit ?? 0,
      burst: throttle.ThrottlingBurstLimit ?? 0,
      rules: addressRules(production).filter(({ counts }) => counts(`/api${path}`)),
    };
  };

  test.each(routes)('has a throttle of %s that no single IP address uses up for long', (_, endpoint) => {
    const { rate, rules } = limitsOf(endpoint);
    expect(rules.some(({ limit, seconds }) => limit <= rate * seconds)).toBe(true);
  });

  const limited = routes.filter(
    ([, { caller, throttle }]) => throttle || ['anyone', 'browser', 'app'].includes(caller),
  );
  test.each(limited)('needs many IP addresses to fill %s, each with less than a burst', (_, endpoint) => {
    const { rate, burst, rules } = limitsOf(endpoint);
    const isTight = ({ limit, seconds }: RateRule) => limit <= (rate * seconds) / 100 && limit < burst;
    expect(rules.some(isTight)).toBe(true);
    // WAF accepts no lower limit than ten.
    expect(rules.every(({ limit }) => limit >= 10)).toBe(true);
  });
});

/** A logical id without CDK's hash. */
const withoutHash = (id: string): string => id.replace(/[0-9A-F]{8}$/, '');

interface Arn {
  'Fn::GetAtt': [id: string, 'Arn'];
}

interface Throttle {
  ThrottlingRateLimit?: number;
  ThrottlingBurstLimit?: number;
}
