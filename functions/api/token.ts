import { endpoint } from '../../schemas/routes/token.ts';
import { appCodes, appSessions, moments } from '../adapters/tables.ts';
import { clientId, relayClient } from '../adapters/cognito/relay-client.ts';
import { redeemCode } from '../apps/redeem-code.ts';
import { refreshSession } from '../apps/refresh-session.ts';
import { cipher } from '../apps/refresh-token.ts';
import { oauthRoute } from '../runtime/oauth-route.ts';

const adapters = { appCodes, appSessions, moments, relayClient, cipher, clientId };

export const handler = oauthRoute(endpoint, adapters, (form, { now }, dependencies) =>
  form.grant_type === 'authorization_code'
    ? redeemCode(dependencies, form, now)
    : refreshSession(dependencies, form.refresh_token, now),
);
