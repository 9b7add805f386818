import { Match } from 'aws-cdk-lib/assertions';
import { describe, test } from 'vitest';
import { stages } from '../../infra/stages.ts';
import { api } from '../../schemas/api.ts';
import type { Endpoint } from '../../schemas/endpoint.ts';
import { stageNames, templatesOf } from '../fixtures/stack.ts';

const templates = templatesOf();
const routes: [string, Endpoint][] = Object.entries(api);

describe.each(stageNames)('the API of %s', (stageName) => {
  const template = templates[stageName];

  test.each(routes)('serves %s to the callers that the route table names', (_, { method, path, caller }) => {
    template.hasResourceProperties('AWS::ApiGatewayV2::Route', {
      RouteKey: `${method} ${path}`,
      AuthorizationType: caller === 'bearer' ? 'JWT' : 'NONE',
      AuthorizationScopes: caller === 'bearer' ? ['aws.cognito.signin.user.admin'] : Match.absent(),
    });
  });

  test('serves no route that the route table does not name', () => {
    template.resourceCountIs('AWS::ApiGatewayV2::Route', routes.length);
  });

  test('throttles the public route more than the others', () => {
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      DefaultRouteSettings: Match.objectLike({ ThrottlingRateLimit: stages[stageName].throttle.rate }),
      RouteSettings: { 'POST /waitlist': { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 10 } },
    });
  });

  test.each(['GET /export', 'GET /billing', 'POST /update-card'])(
    'throttles %s, so that enough of Stripe’s request limit is left for payments',
    (route) => {
      template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
        RouteSettings: { [route]: { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 50 } },
      });
    },
  );
});
