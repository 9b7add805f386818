import type { KnownProviderSettings, OidcProviderSettings } from '../settings.ts';
import type { KnownProvider, ProviderAddresses } from '../../../vendors/identity-providers/known-provider.ts';

export interface IdentityProvider {
  name: string;
  /** `OIDC`, or the type of a provider that Cognito knows. */
  type: string;
  client: { id: string; secret: (now: Date) => string | Promise<string> };
  /** Separated by spaces. */
  scopes: string;
  addresses: ProviderAddresses;
  userInfoMethod: 'GET' | 'POST';
  claimsInForm: KnownProvider['claimsInForm'];
  /** Maps the pool's attributes to the provider's claims. */
  mapping: Record<string, string>;
}

const mappingOf = (mapping: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(mapping).filter(([attribute]) => attribute !== 'username'));

export function oidcProvider({
  ProviderName: name,
  ProviderDetails: details,
  AttributeMapping,
}: OidcProviderSettings): IdentityProvider {
  return {
    name,
    type: 'OIDC',
    client: { id: details.client_id, secret: () => details.client_secret },
    scopes: details.authorize_scopes,
    addresses: {
      authorize: details.authorize_url,
      token: details.token_url,
      jwks: details.jwks_uri,
      userInfo: details.attributes_url,
      issuer: details.oidc_issuer,
    },
    userInfoMethod: details.attributes_request_method,
    claimsInForm: undefined,
    mapping: mappingOf(AttributeMapping),
  };
}

export function knownProvider(
  { ProviderType: type, ProviderDetails: details, AttributeMapping }: KnownProviderSettings,
  { addresses, clientSecret, claimsInForm }: KnownProvider,
): IdentityProvider {
  return {
    name: type,
    type,
    client: { id: details['client_id'] ?? '', secret: (now) => clientSecret(details, now) },
    scopes: details['authorize_scopes'] ?? '',
    addresses,
    userInfoMethod: 'GET',
    claimsInForm,
    mapping: mappingOf(AttributeMapping),
  };
}
