import type { IdentityProviderSettings } from '../settings.ts';

/** Where Google answers: absolute addresses, and the issuer that its ID tokens name. */
export interface GoogleAddresses {
  authorize: string;
  token: string;
  jwks: string;
  userInfo: string;
  issuer: string;
}

/** Somebody else who vouches for people, by OpenID Connect. */
export interface IdentityProvider {
  name: string;
  type: 'Google' | 'OIDC';
  client: { id: string; secret: string };
  /** Separated by spaces. */
  scopes: string;
  /** Undefined where nobody has said where Google is. */
  addresses: GoogleAddresses | undefined;
  userInfoMethod: 'GET' | 'POST';
  /** The pool's attribute to the provider's claim. */
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
