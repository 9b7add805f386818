import type { RouteName } from '../../schemas/api.ts';
import { SITE_SCOPE } from '../../schemas/routes/endpoint.ts';
import type { BackgroundFunction } from '../../schemas/config/environment.ts';
import { fromCloudFront } from '../fixtures/fakes/origin-key.ts';
import { browserThatSignsUp } from '../fixtures/worlds/account.ts';
import { USER } from './cold-start-services.ts';

/** The services that a bare client calls, one call each, in this order. */
export type Service = 'dynamodb' | 'cognito' | 'secretsmanager' | 'stripe';

/** A function, and the event of its first call. */
export interface MeasuredFunction {
  /** Below `functions/`, without the ending. */
  entry: string;
  /** Whether a user or Cognito waits for it. */
  waitedFor: boolean;
  /** The bare clients that its first call is compared with. */
  beside: readonly Service[];
  /** The most that its first answer may cost, as a ratio to that of these clients. @default 1.15 */
  most?: number;
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

const browser = browserThatSignsUp();
const trigger = (triggerSource: string, userName: string) => ({
  triggerSource,
  userName,
  userPoolId: 'us-east-1_Local0001',
  request: {
    codeParameter: '{####}',
    userAttributes: {
      sub: userName,
      email: `${userName}@example.com`,
      email_verified: 'true',
      [browser.attribute.Name]: browser.attribute.Value,
    },
    clientMetadata: browser.metadata,
  },
  response: {},
});

/** Without the canary and the export, which nobody waits for. The local world's stage has no canary. */
type Measured = Exclude<RouteName | BackgroundFunction, 'schedules/canary' | 'schedules/user-export'>;

/** Each function in the state in which it makes the fewest calls and still does its work or has to ask. */
export const functions: Record<Measured, MeasuredFunction> = {
  plan: {
    entry: 'api/plan',
    waitedFor: true,
    beside: ['dynamodb'],
    event: () => http(),
    status: 200,
  },
  'csp-report': {
    entry: 'api/csp-report',
    waitedFor: false,
    beside: [],
    event: () => http({ body: [] }),
    status: 200,
  },
  waitlist: {
    entry: 'api/waitlist',
    waitedFor: true,
    beside: ['dynamodb'],
    event: (round) => http({ body: { email: `${round}@example.com`, name: 'Ada' } }),
    status: 201,
  },
  'relay-code': {
    entry: 'api/relay-code',
    waitedFor: true,
    beside: ['dynamodb'],
    event: () =>
      http({
        body: {
          code: 'code',
          redirect_uri: 'https://app.example/done',
          code_challenge: 'x'.repeat(43),
        },
      }),
    status: 201,
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
  revoke: {
    entry: 'api/revoke',
    waitedFor: true,
    // The token is not ours, so that nothing else is asked.
    beside: ['secretsmanager'],
    event: () => http({ form: { client_id: 'relay-client', token: 'token' } }),
    status: 200,
  },
  'create-checkout-session': {
    entry: 'api/create-checkout-session',
    waitedFor: true,
    // Refused after the call to Cognito, since the address isn't the user's.
    beside: ['cognito', 'dynamodb'],
    event: () => http({ body: { planName: 'plus', userId: USER.id, userEmail: 'eve@example.com' } }),
    status: 403,
  },
  'session-status': {
    entry: 'api/session-status',
    waitedFor: true,
    beside: ['dynamodb', 'secretsmanager', 'stripe'],
    event: () => http({ query: { session_id: 'cs_test_unknown' } }),
    status: 404,
  },
  'cancel-subscription': {
    entry: 'api/cancel-subscription',
    waitedFor: true,
    beside: ['cognito', 'dynamodb'],
    event: () => http({ body: { subscription_id: null } }),
    status: 404,
  },
  'renew-subscription': {
    entry: 'api/renew-subscription',
    waitedFor: true,
    beside: ['cognito', 'dynamodb'],
    event: () => http({ body: {} }),
    status: 409,
  },
  billing: {
    entry: 'api/billing',
    waitedFor: true,
    beside: ['cognito', 'dynamodb'],
    event: () => http(),
    status: 200,
  },
  'billing-portal': {
    entry: 'api/billing-portal',
    waitedFor: true,
    beside: ['cognito', 'dynamodb'],
    event: () => http({ body: { page: 'card' } }),
    status: 404,
  },
  'change-password': {
    entry: 'api/change-password',
    waitedFor: true,
    // Refused after the call to Cognito, since no password begins with a space.
    beside: ['cognito'],
    event: () => http({ body: { currentPassword: ' wrong', newPassword: 'correct horse' } }),
    status: 403,
  },
  'change-email': {
    entry: 'api/change-email',
    waitedFor: true,
    // Refused after the call to Cognito, since the sign-in is old.
    beside: ['cognito', 'dynamodb'],
    event: () => http({ body: { newEmail: 'new@example.com' } }),
    status: 403,
  },
  'confirm-email': {
    entry: 'api/confirm-email',
    waitedFor: true,
    beside: ['cognito', 'dynamodb'],
    // It has all that follows a change of address.
    most: 1.2,
    event: () => http({ body: { code: '123456' } }),
    status: 409,
  },
  'undo-email': {
    entry: 'api/undo-email',
    waitedFor: true,
    beside: ['dynamodb'],
    event: () => http({ body: { token: `ada.${'a'.repeat(43)}` } }),
    status: 410,
  },
  'confirm-sign-up': {
    entry: 'api/confirm-sign-up',
    waitedFor: true,
    beside: ['cognito', 'dynamodb'],
    event: (round) =>
      http({
        body: { email: `${round}@example.com`, code: '123456', name: 'Ada', password: 'correct horse' },
      }),
    status: 403,
  },
  'provider-reminder': {
    entry: 'api/provider-reminder',
    beside: ['dynamodb'],
    waitedFor: true,
    event: (round) => http({ body: { email: `${round}@example.com` } }),
    status: 200,
  },
  'contract-mail': {
    entry: 'api/contract-mail',
    beside: ['dynamodb'],
    waitedFor: true,
    event: (round) => http({ body: { email: `${round}@example.com` } }),
    status: 200,
  },
  'end-contract': {
    entry: 'api/end-contract',
    beside: ['dynamodb'],
    waitedFor: true,
    event: () => http({ body: { token: 'a'.repeat(43), action: 'show' } }),
    status: 410,
  },
  sessions: {
    entry: 'api/sessions',
    waitedFor: true,
    beside: ['cognito', 'dynamodb'],
    event: () => http({ body: {} }),
    status: 200,
  },
  'end-session': {
    entry: 'api/end-session',
    waitedFor: true,
    beside: ['cognito', 'dynamodb'],
    event: () => http({ body: { session: 'unknown' } }),
    status: 200,
  },
  'change-provider': {
    entry: 'api/change-provider',
    waitedFor: true,
    // Refused after the call to Cognito, since the sign-in is old.
    beside: ['cognito', 'dynamodb'],
    event: () => http({ body: { provider: 'Google', connected: false } }),
    status: 403,
  },
  export: {
    entry: 'api/export',
    waitedFor: true,
    beside: ['cognito', 'dynamodb'],
    // Three reads at once open three connections.
    most: 1.25,
    event: () => http(),
    status: 200,
  },
  'delete-account': {
    entry: 'api/delete-account',
    waitedFor: true,
    // Refused after the call to Cognito, since the sign-in is old.
    beside: ['cognito', 'dynamodb'],
    event: () => http({ body: {} }),
    status: 403,
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
  'triggers/pre-sign-up': {
    entry: 'triggers/pre-sign-up',
    waitedFor: true,
    beside: ['cognito', 'dynamodb'],
    event: (round) => trigger('PreSignUp_SignUp', round),
  },
  'triggers/post-confirmation': {
    entry: 'triggers/post-confirmation',
    waitedFor: true,
    beside: ['dynamodb'],
    event: (round) => trigger('PostConfirmation_ConfirmSignUp', round),
  },
  'triggers/custom-message': {
    entry: 'triggers/custom-message',
    waitedFor: true,
    // It makes no call.
    beside: ['dynamodb'],
    event: (round) => trigger('CustomMessage_SignUp', round),
  },
  'triggers/pre-token-generation': {
    entry: 'triggers/pre-token-generation',
    waitedFor: true,
    beside: ['dynamodb'],
    event: (round) => trigger('TokenGeneration_RefreshTokens', round),
  },
  'stripe-webhook': {
    entry: 'webhooks/stripe-webhook',
    waitedFor: false,
    beside: ['secretsmanager', 'stripe'],
    event: () => http({ body: {}, headers: { 'stripe-signature': 't=1,v1=00' } }),
    status: 400,
  },
  'schedules/expiry-sweep': {
    entry: 'schedules/expiry-sweep',
    waitedFor: false,
    beside: ['dynamodb'],
    event: () => ({}),
  },
  'schedules/unconfirmed-sweep': {
    entry: 'schedules/unconfirmed-sweep',
    waitedFor: false,
    // Nobody is unconfirmed, so the table isn't asked.
    beside: ['cognito'],
    event: () => ({}),
  },
  'schedules/billing-tasks': {
    entry: 'schedules/billing-tasks',
    waitedFor: false,
    beside: ['dynamodb', 'secretsmanager', 'stripe'],
    event: () => ({}),
  },
  'schedules/event-catch-up': {
    entry: 'schedules/event-catch-up',
    waitedFor: false,
    beside: ['dynamodb', 'secretsmanager', 'stripe'],
    event: () => ({}),
  },
  'schedules/idle-accounts': {
    entry: 'schedules/idle-accounts',
    waitedFor: false,
    beside: ['dynamodb'],
    event: () => ({ task: 'sweep' }),
  },
  'events/undeliverable-mail': {
    entry: 'events/undeliverable-mail',
    waitedFor: false,
    beside: ['dynamodb'],
    event: () => ({
      source: 'aws.ses',
      detail: {
        eventType: 'Complaint',
        complaint: {},
        mail: { messageId: '1', tags: { notice: ['account-idle'], user: ['nobody'] } },
      },
    }),
  },
  'schedules/plan-agreement': {
    entry: 'schedules/plan-agreement',
    waitedFor: false,
    beside: ['dynamodb', 'secretsmanager', 'stripe'],
    event: () => ({}),
  },
};
