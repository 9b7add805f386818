import { endpoint } from '../../schemas/routes/revoke.ts';
import { appSessions } from '../adapters/tables.ts';
import { clientId, relayClient } from '../adapters/cognito/relay-client.ts';
import { endSession } from '../apps/end-session.ts';
import { cipher } from '../apps/refresh-token.ts';
import { oauthRoute } from '../runtime/oauth-route.ts';

const adapters = { appSessions, relayClient, cipher, clientId };

/** An unknown token is no error: RFC 7009, section 2.2. */
export const handler = oauthRoute(endpoint, adapters, async (form, { now }, dependencies) => {
  const token = await (await dependencies.cipher()).decrypt('refresh-token', form.token, now);
  if (token) await endSession(dependencies, token);
  return {};
});
