import { endpoint } from '../../schemas/routes/token.ts';
import { relayClient } from '../adapters/cognito/relay-client.ts';
import { appCodesTable } from '../adapters/dynamodb/app-codes-table.ts';
import { appSessionsTable } from '../adapters/dynamodb/app-sessions-table.ts';
import { redeemCode, type RedeemDependencies } from '../apps/redeem-code.ts';
import { refreshSession, type RefreshDependencies } from '../apps/refresh-session.ts';
import { appCipherIn } from '../apps/refresh-token.ts';
import { oauthRoute } from '../runtime/oauth-route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

export const exchangeTokens = (
  dependencies: RedeemDependencies & RefreshDependencies & { clientId: string },
) =>
  oauthRoute(endpoint, dependencies, (form, { now }) =>
    form.grant_type === 'authorization_code'
      ? redeemCode(dependencies, form, now)
      : refreshSession(dependencies, form.refresh_token, now),
  );

export const handler = withEnvironment(endpoint, (environment) =>
  exchangeTokens({
    appCodes: appCodesTable(environment.APP_CODES_TABLE),
    appSessions: appSessionsTable(environment.APP_SESSIONS_TABLE),
    relayClient: relayClient(environment),
    cipher: appCipherIn(environment.APP_TOKENS_SECRET_ID),
    clientId: environment.RELAY_CLIENT_ID,
  }),
);
