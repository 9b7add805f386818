import { SITE_SCOPE } from '../../schemas/routes/endpoint.ts';
import { fromCloudFront } from '../fixtures/fakes/origin-key.ts';
import { USER } from './cold-start-services.ts';

/** The services that a bare client calls, one call each, in this order. */
export type Service = 'dynamodb' | 'secretsmanager' | 'stripe';

/** A function, and the event of its first call. */
export interface MeasuredFunction {
  /** Below `functions/`, without the ending. */
  entry: string;
  /** Whether a user or Cognito waits for it. */
  waitedFor: boolean;
  /** The bare clients that its first call is compared with. */
  beside: readonly Service[];
  /** `round` makes ids that are used up by a call unique. */
  event: (round: string) => unknown;
  /** The HTTP status of the answer. */
  status?: number;
}

interface Request {
  body?: unknown;
  form?: Record<string, string>;
  query?: Record<string, string>;
  step?: string;
  headers?: Record<string, string>;
}

/** API Gateway's event, of a user who has signed in long ago. */
const http = ({ body, form, query, step, headers }: Request = {}) => ({
  version: '2.0',
  headers: {
    ...fromCloudFront,
    authorization: 'Bearer token',
    'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
    ...headers,
  },
  rawQueryString: new URLSearchParams(query).toString(),
  ...(query && { queryStringParameters: query }),
  ...(step && { pathParameters: { step } }),
  ...(body !== undefined && { body: JSON.stringify(body) }),
  ...(form && { body: new URLSearchParams(form).toString() }),
  isBase64Encoded: false,
  requestContext: {
    requestId: 'request',
    http: { method: step ? 'GET' : 'POST' },
    authorizer: {
      jwt: {
        claims: { sub: USER.id, auth_time: '1700000000', token_use: 'access', scope: SITE_SCOPE },
        scopes: [],
      },
    },
  },
});

/** A function of each class, in the state in which it makes the fewest calls and still does its work. */
export const functions: Readonly<Record<string, MeasuredFunction>> = {
  plan: {
    entry: 'api/plan',
    waitedFor: true,
    beside: ['dynamodb'],
    event: () => http(),
    status: 200,
  },
  token: {
    entry: 'api/token',
    waitedFor: true,
    // Refused after the call to DynamoDB, since there is no such code.
    beside: ['secretsmanager', 'dynamodb'],
    event: () =>
      http({
        form: {
          grant_type: 'authorization_code',
          client_id: 'relay-client',
          code: '0123456789',
          redirect_uri: 'https://app.example/done',
          code_verifier: 'x'.repeat(43),
        },
      }),
    status: 400,
  },
  'github-oidc': {
    entry: 'github-oidc/github-oidc',
    waitedFor: true,
    beside: ['secretsmanager'],
    event: () =>
      http({
        step: 'authorize',
        query: {
          client_id: 'cognito',
          redirect_uri: 'https://sign-in.selfsame.example/oauth2/idpresponse',
          response_type: 'code',
          scope: 'openid',
          state: 'state',
        },
      }),
    status: 302,
  },
  'triggers/pre-token-generation': {
    entry: 'triggers/pre-token-generation',
    waitedFor: true,
    beside: ['dynamodb'],
    event: () => ({
      triggerSource: 'TokenGeneration_RefreshTokens',
      userName: USER.id,
      userPoolId: 'us-east-1_Local0001',
      request: { userAttributes: { sub: USER.id, email: USER.email, email_verified: 'true' } },
      response: {},
    }),
  },
  'stripe-webhook': {
    entry: 'webhooks/stripe-webhook',
    waitedFor: false,
    beside: ['secretsmanager', 'stripe'],
    event: () => http({ body: {}, headers: { 'stripe-signature': 't=1,v1=00' } }),
    status: 400,
  },
  'schedules/billing-tasks': {
    entry: 'schedules/billing-tasks',
    waitedFor: false,
    beside: ['dynamodb', 'secretsmanager', 'stripe'],
    event: () => ({}),
  },
};
