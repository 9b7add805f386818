import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { startTables } from '../fixtures/worlds/dynamodb-tables.ts';
import { tableNames, tableVariable } from '../../schemas/tables.ts';
import { originKeys } from '../fixtures/fakes/origin-key.ts';
import { certificate } from './cloudfront.ts';

/** The services that cold starts call. */
export interface ColdStartServices {
  /** The variables of Lambda, of the functions and of the services' addresses. */
  environment: Record<string, string>;
  stop: () => Promise<void>;
}

/** The user of the events. Has a row on Free, no Stripe customer, and has signed in before. */
export const USER = { id: 'ada', email: 'ada@example.com' };

/**
 * Starts the services over TLS on this machine, since a function's first call to AWS sets up TLS. DynamoDB is
 * the real local engine. Cognito, Secrets Manager and Stripe answer from memory, so that their own work isn't
 * measured.
 */
export async function startServices(): Promise<ColdStartServices> {
  const folder = mkdtempSync(path.join(tmpdir(), 'selfsame-cold-start-'));
  const tls = certificate();
  const certificateFile = path.join(folder, 'certificate.pem');
  writeFileSync(certificateFile, tls.cert);
  const tables = await startTables();
  await tables.dynamodb.send(
    new PutCommand({
      TableName: 'UserPlans',
      Item: {
        id: USER.id,
        plan: 'free',
        created_at: '2026-01-01T00:00:00.000Z',
        last_sign_in_at: '2040-01-01T00:00:00.000Z',
        version: 1,
      },
    }),
  );
  const engine = new URL(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  const dynamodb = createTlsServer(tls, (socket) => {
    const upstream = connect(Number(engine.port), engine.hostname);
    socket.pipe(upstream).pipe(socket);
    // A process that has measured ends without closing its connections.
    socket.on('error', () => upstream.destroy());
    upstream.on('error', () => socket.destroy());
  });
  const others = createServer(tls, (request, response) => {
    request.resume().on('end', () => {
      const { status, body } = answerOf(String(request.headers['x-amz-target'] ?? request.url));
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  const origin = await listen(others);
  return {
    environment: {
      AWS_REGION: 'us-east-1',
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: 'local',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_NAME: 'cold-start',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
      TZ: ':UTC',
      // As in Lambda, a folder that doesn't exist.
      HOME: '/home/sbx_user1051',
      NODE_EXTRA_CA_CERTS: certificateFile,
      AWS_ENDPOINT_URL: origin,
      AWS_ENDPOINT_URL_DYNAMODB: await listen(dynamodb),
      ...originKeys,
      ...Object.fromEntries(tableNames.map((table) => [tableVariable(table), table])),
      STRIPE_API: origin,
      STRIPE_SECRET_ID: 'stripe',
      STAGE: 'staging',
      TAX: 'none',
      SITE_CLIENT_ID: 'site-client',
      SIGN_IN_ORIGIN: origin,
      RELAY_CLIENT_ID: 'relay-client',
      RELAY_CALLBACK: 'https://selfsame.example/oauth/callback',
      RELAY_ADDRESSES: 'https://app.example/done',
      APP_TOKENS_SECRET_ID: 'app-tokens',
      SITE_URL: 'https://selfsame.example',
      MAIL_FROM: 'Selfsame <no-reply@selfsame.example>',
      SENDS_THROUGH_SES: 'false',
      USER_POOL_ID: 'us-east-1_Local0001',
      GITHUB_URL: 'https://github.com',
      GITHUB_API: 'https://api.github.com',
      GITHUB_SECRET_ID: 'github',
      OIDC_KEY_ID: 'key',
      OIDC_SECRET_ID: 'oidc',
      COGNITO_CALLBACK: 'https://sign-in.selfsame.example/oauth2/idpresponse',
    },
    stop: async () => {
      dynamodb.close();
      others.closeAllConnections();
      others.close();
      await tables.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** `request`: the operation of an AWS API, or the path of a request to Stripe. */
function answerOf(request: string): { status: number; body: unknown } {
  const operation = request.split('.').at(-1);
  switch (operation) {
    case 'GetSecretValue':
      return {
        status: 200,
        body: {
          SecretString: JSON.stringify({
            secretKey: 'sk_test_local',
            webhookSecret: 'whsec_local',
            clientId: 'client',
            clientSecret: 'secret',
            key: 'key',
          }),
        },
      };
    default:
      if (/^\/v1\/(?:events|subscriptions)\?/.test(request)) {
        return { status: 200, body: { object: 'list', data: [], has_more: false } };
      }
      return {
        status: 404,
        body: {
          error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such object' },
        },
      };
  }
}

const listen = (server: Server | TlsServer): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`https://localhost:${(server.address() as AddressInfo).port}`);
    });
  });
