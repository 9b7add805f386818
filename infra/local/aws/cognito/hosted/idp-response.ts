import { cookie, redirectWithError } from './answers.ts';
import { type Endpoint, parameter } from './endpoint.ts';
import { federatedSignIn } from './federated-sign-in.ts';
import { grantCode, orOAuthError } from './grant-code.ts';
import { hostedClient } from './hosted-client.ts';
import { OAuthError, PageError } from './oauth-error.ts';

/** Providers redirect here, by query or by form. Requires the state and the cookie of the same browser. */
export const idpResponse: Endpoint = async ({ cookies: sent, form, parts, query }) => {
  const answer = form.has('state') ? form : query;
  const [state = ''] = answer.getAll('state');
  const request = parts.authorizationRequests.take(state, sent.get('csrf-state'));
  const client = request && hostedClient(parts, request.clientId);
  const provider = client && parts.pools.provider(client.pool.id, request.providerName);
  if (!provider) throw new PageError('Invalid state');
  const arrived = [cookie('csrf-state', '', 0)];
  try {
    const denied = parameter(answer, 'error');
    const code = parameter(answer, 'code');
    if (denied !== undefined || code === undefined) {
      throw new OAuthError(
        denied === 'access_denied' ? 'access_denied' : 'invalid_request',
        parameter(answer, 'error_description') ?? denied ?? 'The provider gave neither code nor error.',
      );
    }
    const { id, claims } = await parts.providerClient.profile(provider, code, request.providerNonce);
    const profile = { id, claims: { ...provider.claimsInForm?.(form), ...claims } };
    const user = await orOAuthError(federatedSignIn(parts, client, provider, profile));
    const { cookie: value, session } = parts.hostedSessions.start(user, provider.name);
    const cookies = [...arrived, cookie('cognito', value, 60 * 60)];
    return grantCode(parts, { client, request, user, authTime: session.authTime, cookies });
  } catch (error) {
    if (error instanceof OAuthError) return redirectWithError(request, error, arrived);
    console.error(error);
    return redirectWithError(request, new OAuthError('server_error'), arrived);
  }
};
