import type { UserPoolClient } from '../pools.ts';
import { cookie, redirect, redirectWithError } from './answers.ts';
import type { AuthorizationRequest } from './authorization-requests.ts';
import {
  type HostedAnswer,
  type HostedRequest,
  type Endpoint,
  requiredPageParameter,
  parameter,
} from './endpoint.ts';
import { grantCode } from './grant-code.ts';
import { hostedClient } from './hosted-client.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { OAuthError, PageError } from './oauth-error.ts';
import { providersPage } from './providers-page.ts';

/** Redirects to the identity provider, or back to the client if the hosted session is still valid. */
export const authorize: Endpoint = (hostedRequest) => {
  const { client, returnAddress } = validateReturn(hostedRequest);
  try {
    return answerClient(hostedRequest, client, returnAddress);
  } catch (error) {
    if (error instanceof OAuthError) return redirectWithError(returnAddress, error);
    console.error(error);
    return redirectWithError(returnAddress, new OAuthError('server_error'));
  }
};

interface ReturnAddress {
  redirectUri: string;
  state: string | undefined;
}

/** Errors before this validation are shown to the user: a redirect to an unchecked address would be open. */
function validateReturn({ parts, query }: HostedRequest): {
  client: UserPoolClient;
  returnAddress: ReturnAddress;
} {
  const clientId = requiredPageParameter(query, 'client_id');
  const client = hostedClient(parts, clientId);
  if (!client) throw new PageError('Client does not exist.');
  if (!client.settings.AllowedOAuthFlowsUserPoolClient) {
    throw new PageError('Client is not enabled for OAuth2.0 flows.');
  }
  const redirectUri = requiredPageParameter(query, 'redirect_uri');
  if (!client.settings.CallbackURLs.includes(redirectUri)) throw new PageError('redirect_mismatch');
  const [state] = query.getAll('state');
  return { client, returnAddress: { redirectUri, state: state || undefined } };
}

function answerClient(
  hostedRequest: HostedRequest,
  client: UserPoolClient,
  returnAddress: ReturnAddress,
): HostedAnswer {
  const { cookies, parts, query } = hostedRequest;
  const request = requestOf(query, client, returnAddress);
  const providers = client.settings.SupportedIdentityProviders;
  const requested = parameter(query, 'identity_provider');
  if (requested !== undefined && !providers.includes(requested)) {
    throw new OAuthError('invalid_request', 'The identity provider is not one of the client.');
  }
  const session = parts.hostedSessions.get(cookies.get('cognito') ?? '');
  const user =
    session?.poolId === client.pool.id &&
    providers.includes(session.providerName) &&
    (requested ?? session.providerName) === session.providerName &&
    parts.users.get(client.pool, session.username);
  if (session && user) return grantCode(parts, { client, request, user, authTime: session.authTime });
  const provider = requested === undefined ? undefined : parts.pools.provider(client.pool.id, requested);
  return provider ? redirectToProvider(provider, request, hostedRequest) : providersPage(client, query);
}

function requestOf(
  query: URLSearchParams,
  { id, settings }: UserPoolClient,
  returnAddress: ReturnAddress,
): AuthorizationRequest {
  const type = parameter(query, 'response_type');
  if (type === 'token') throw new OAuthError('unauthorized_client');
  if (type !== 'code') throw new OAuthError('invalid_request');
  const challenge = parameter(query, 'code_challenge');
  const method = parameter(query, 'code_challenge_method');
  // A SHA-256 in base64url has 43 characters (RFC 7636, 4.2). Cognito supports only this method.
  const pkce = challenge === undefined ? method === undefined : method === 'S256';
  if (!pkce || (challenge !== undefined && !/^[\w-]{43}$/.test(challenge))) {
    throw new OAuthError('invalid_request');
  }
  const allowed: readonly string[] = settings.AllowedOAuthScopes;
  const scopes = [...new Set(parameter(query, 'scope')?.split(' ').filter(Boolean) ?? allowed)];
  // These scopes release claims in the ID token, which is only issued with `openid`.
  const tells = scopes.some((scope) => ['email', 'phone', 'profile'].includes(scope));
  if (scopes.some((scope) => !allowed.includes(scope)) || (tells && !scopes.includes('openid'))) {
    throw new OAuthError('invalid_scope');
  }
  if (query.getAll('state').length > 1) throw new OAuthError('invalid_request');
  return { ...returnAddress, clientId: id, scopes, challenge, nonce: parameter(query, 'nonce') };
}

function redirectToProvider(
  provider: IdentityProvider,
  request: AuthorizationRequest,
  { parts }: HostedRequest,
): HostedAnswer {
  const { browser, nonce, state } = parts.authorizationRequests.start(request, provider.name);
  const address = new URL(provider.addresses.authorize);
  for (const [name, value] of Object.entries({
    client_id: provider.client.id,
    redirect_uri: `${parts.origin}/oauth2/idpresponse`,
    scope: provider.scopes,
    response_type: 'code',
    state,
    nonce,
    ...(provider.claimsInForm && { response_mode: 'form_post' }),
  })) {
    address.searchParams.set(name, value);
  }
  return redirect(address, [cookie('csrf-state', browser, 30 * 60)]);
}
