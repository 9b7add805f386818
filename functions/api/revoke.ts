import { endpoint } from '../../schemas/routes/revoke.ts';
import { relayClient } from '../adapters/cognito/relay-client.ts';
import { appSessionsTable } from '../adapters/dynamodb/app-sessions-table.ts';
import { endSession, type EndDependencies } from '../apps/end-session.ts';
import { type AppCipher, appCipherIn } from '../apps/refresh-token.ts';
import { oauthRoute } from '../runtime/oauth-route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies extends EndDependencies {
  cipher: () => Promise<AppCipher>;
  clientId: string;
}

/** An unknown token is no error: RFC 7009, section 2.2. */
export const revokeSession = (dependencies: Dependencies) =>
  oauthRoute(endpoint, dependencies, async (form, { now }) => {
    const token = await (await dependencies.cipher()).decrypt('refresh-token', form.token, now);
    if (token) await endSession(dependencies, token);
    return {};
  });

export const handler = withEnvironment(endpoint, (environment) =>
  revokeSession({
    appSessions: appSessionsTable(environment.APP_SESSIONS_TABLE),
    relayClient: relayClient(environment),
    cipher: appCipherIn(environment.APP_TOKENS_SECRET_ID),
    clientId: environment.RELAY_CLIENT_ID,
  }),
);
