import type { IdentityProviderSettings } from '../settings.ts';

/** Google's endpoints as absolute addresses, and the issuer of its ID tokens. */
export interface GoogleAddresses {
  authorize: string;
  token: string;
  jwks: string;
  userInfo: string;
  issuer: string;
}

/** An external OpenID Connect provider. */
export interface IdentityProvider {
  name: string;
  type: 'Google' | 'OIDC';
  client: { id: string; secret: string };
  /** Separated by spaces. */
  scopes: string;
  /** Undefined if Google's addresses are not configured. */
  addresses: GoogleAddresses | undefined;
  userInfoMethod: 'GET' | 'POST';
  /** Maps the pool's attributes to the provider's claims. */
  mapping: Record<string, string>;
}

export function identityProviderOf(
  { AttributeMapping, ...settings }: IdentityProviderSettings,
  google: GoogleAddresses | undefined,
): IdentityProvider {
  const { client_id: id, client_secret: secret, authorize_scopes: scopes } = settings.ProviderDetails;
  const { username: _, ...mapping } = AttributeMapping;
  const common = { name: settings.ProviderName, client: { id, secret }, scopes, mapping };
  if (settings.ProviderType === 'Google') {
    return { ...common, type: 'Google', addresses: google, userInfoMethod: 'GET' };
  }
  const details = settings.ProviderDetails;
  return {
    ...common,
    type: 'OIDC',
    addresses: {
      authorize: details.authorize_url,
      token: details.token_url,
      jwks: details.jwks_uri,
      userInfo: details.attributes_url,
      issuer: details.oidc_issuer,
    },
    userInfoMethod: details.attributes_request_method,
  };
}
