import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Clock } from '../../base/clock.ts';
import { type RsaKeyPair, rsaKeyPair } from '../../base/rsa-key-pair.ts';
import type { Collection } from '../../base/store.ts';
import { type Accounts, builtInAccount } from './accounts.ts';
import { type ProviderAnswer, type ProviderRequest, json, tokenOf, webAddress } from './http.ts';
import { type CodeGrant, type Grant, type Grants, isVerified } from './grants.ts';
import { answerPicker, type Picker, refusalPage } from './picker.ts';
import { type StandIn, standIn, type StandInOptions } from './stand-in.ts';

const CLIENT = { clientId: 'local.apps.googleusercontent.com', clientSecret: 'local-google' };

type GoogleOptions = StandInOptions<typeof CLIENT>;

// The issuer in ID tokens, whatever the address of the endpoints is.
const ISSUER = 'https://accounts.google.com';
// Seconds, as in Google's responses.
const LIFETIME = 3599;

const EMAIL = 'https://www.googleapis.com/auth/userinfo.email';
const PROFILE = 'https://www.googleapis.com/auth/userinfo.profile';
// Scopes for signing in, with the name that Google answers with.
const scopeNames = new Map([
  ['openid', 'openid'],
  ['email', EMAIL],
  [EMAIL, EMAIL],
  ['profile', PROFILE],
  [PROFILE, PROFILE],
]);

/** Google's OpenID Connect, after "OpenID Connect" and "Using OAuth 2.0 for Web Server Applications". */
class Google implements StandIn {
  readonly #clock: Clock;
  readonly #client: GoogleOptions['client'];
  readonly #accounts: Accounts;
  readonly #grants: Grants;
  readonly #keys: Collection<RsaKeyPair>;
  readonly #picker: Picker;

  constructor({ client, clock, store, provider }: GoogleOptions) {
    this.#clock = clock;
    this.#client = client;
    this.#accounts = provider.accounts;
    this.#grants = provider.grants;
    this.#keys = store.collection('providers/google/keys');
    this.#picker = { provider, codePrefix: '4/0', denied: { error: 'access_denied' } };
  }

  answer(request: ProviderRequest): ProviderAnswer | Promise<ProviderAnswer> | undefined {
    switch (`${request.method} ${request.path}`) {
      case 'GET /oauth2/v3/certs':
        return json({ keys: [this.#publicKey()] });
      case 'GET /o/oauth2/v2/auth':
      case 'POST /o/oauth2/v2/auth':
        return this.#authorize(request);
      case 'POST /token':
        return this.#token(request);
      case 'GET /v1/userinfo':
      case 'POST /v1/userinfo':
        return this.#userInfo(request);
      default:
        return undefined;
    }
  }

  #authorize(request: ProviderRequest): ProviderAnswer {
    const { query } = request;
    if (query.get('client_id') !== this.#client.clientId) {
      return this.#blocked(401, 'invalid_client', 'The OAuth client was not found.');
    }
    const redirectUri = webAddress(query.get('redirect_uri'));
    if (redirectUri === undefined) {
      return this.#blocked(
        400,
        'redirect_uri_mismatch',
        'redirect_uri must be an absolute http or https address.',
      );
    }
    if (query.get('response_type') !== 'code') {
      return this.#blocked(
        400,
        'unsupported_response_type',
        'The local stand-in supports only response_type=code.',
      );
    }
    const names = (query.get('scope') ?? '').split(' ').filter((name) => name !== '');
    if (names.length === 0) return this.#blocked(400, 'invalid_request', 'Missing required parameter: scope');
    const scopes = names.map((name) => scopeNames.get(name));
    if (scopes.includes(undefined)) {
      const invalid = names.filter((name) => !scopeNames.has(name));
      return this.#blocked(
        400,
        'invalid_scope',
        `Some requested scopes were invalid. {invalid=[${invalid.join(', ')}]}`,
      );
    }
    const challenge = query.get('code_challenge') ?? undefined;
    if (challenge !== undefined && query.get('code_challenge_method') !== 'S256') {
      return this.#blocked(
        400,
        'invalid_request',
        'The local stand-in supports only code_challenge_method=S256.',
      );
    }
    return answerPicker(this.#picker, request, {
      redirectUri,
      state: query.get('state') ?? undefined,
      scopes: [...new Set(scopes.filter((name) => name !== undefined))],
      challenge,
      nonce: query.get('nonce') ?? undefined,
    });
  }

  #token(request: ProviderRequest): ProviderAnswer | Promise<ProviderAnswer> {
    const { form } = request;
    const [clientId, clientSecret] = credentialsOf(request);
    if (clientId !== this.#client.clientId)
      return refused('invalid_client', 'The OAuth client was not found.', 401);
    if (clientSecret !== this.#client.clientSecret) return refused('invalid_client', 'Unauthorized', 401);
    const grantType = form.get('grant_type') ?? '';
    if (grantType !== 'authorization_code') {
      return refused('unsupported_grant_type', `Invalid grant_type: ${grantType}`);
    }
    const code = form.get('code');
    if (code === null) return refused('invalid_request', 'Missing required parameter: code');
    const codeGrant = this.#grants.redeemCode(code);
    if (!codeGrant) return refused('invalid_grant', 'Bad Request');
    if (codeGrant.kind === 'fails') return json({ error: 'internal_failure' }, 500);
    if (form.get('redirect_uri') !== codeGrant.redirectUri)
      return refused('redirect_uri_mismatch', 'Bad Request');
    const verifier = form.get('code_verifier');
    if (!isVerified(codeGrant.challenge, verifier)) {
      return refused(
        'invalid_grant',
        verifier === null ? 'Missing code verifier.' : 'Invalid code verifier.',
      );
    }
    return this.#tokens(codeGrant);
  }

  async #tokens({ grant, nonce }: Extract<CodeGrant, { kind: 'granted' }>): Promise<ProviderAnswer> {
    const accessToken = this.#grants.issueToken('ya29.a0', grant, LIFETIME);
    const iat = Math.floor(this.#clock.now().getTime() / 1000);
    return json({
      access_token: accessToken,
      expires_in: LIFETIME,
      scope: grant.scopes.join(' '),
      token_type: 'Bearer',
      ...(grant.scopes.includes('openid') && {
        id_token: await this.#signed({
          iss: ISSUER,
          azp: this.#client.clientId,
          aud: this.#client.clientId,
          ...this.#claims(grant),
          at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
          nonce,
          iat,
          exp: iat + 3600,
        }),
      }),
    });
  }

  #userInfo(request: ProviderRequest): ProviderAnswer {
    const grant = this.#grants.grantOfToken(tokenOf(request, ['bearer']) ?? '');
    if (!grant) {
      return json({ error: 'invalid_request', error_description: 'Invalid Credentials' }, 401, {
        'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"',
      });
    }
    return json(this.#claims(grant));
  }

  /** The claims that the scopes allow. */
  #claims({ account: id, scopes }: Grant): Record<string, unknown> {
    const account = this.#accounts.byId(id);
    const [given = '', ...family] = account.name.split(' ');
    return {
      sub: account.id,
      ...(scopes.includes(PROFILE) && {
        name: account.name,
        given_name: given,
        ...(family.length > 0 && { family_name: family.join(' ') }),
      }),
      ...(scopes.includes(EMAIL) && {
        email: account.primary.email,
        email_verified: account.primary.verified,
      }),
    };
  }

  /** Google doesn't redirect with errors about the client itself, since the address is not validated. */
  #blocked(status: number, error: string, detail: string): ProviderAnswer {
    return refusalPage(this.#picker.provider, {
      status,
      title: 'Access blocked: authorization error',
      detail: `Error ${status}: ${error}. ${detail}`,
    });
  }

  #publicKey() {
    const { publicKey } = rsaKeyPair(this.#keys, 'signing');
    const { e, kty, n } = createPublicKey(publicKey).export({ format: 'jwk' });
    const kid = createHash('sha256').update(publicKey).digest('hex').slice(0, 40);
    return { alg: 'RS256', e, kid, kty, n, use: 'sig' };
  }

  #signed(claims: Record<string, unknown>): Promise<string> {
    const { privateKey } = rsaKeyPair(this.#keys, 'signing');
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: this.#publicKey().kid, typ: 'JWT' })
      .sign(createPrivateKey(privateKey));
  }
}

const refused = (error: string, description: string, status = 400): ProviderAnswer =>
  json({ error, error_description: description }, status);

/** The client's id and secret, from the form or from Basic (percent-encoded: RFC 6749, 2.3.1). */
function credentialsOf(request: ProviderRequest): (string | null)[] {
  const basic = tokenOf(request, ['basic']);
  if (basic === undefined) return [request.form.get('client_id'), request.form.get('client_secret')];
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
  // Both parts are form-encoded.
  return [...new URLSearchParams(`id=${id}&secret=${secret}`).values()];
}

export const google = standIn({
  name: 'Google',
  client: CLIENT,
  accounts: {
    builtIn: [
      builtInAccount('Ada Lovelace', 'ada@example.com'),
      builtInAccount('Grace Hopper', 'grace@example.com'),
      builtInAccount('Alan Turing', 'alan@example.com'),
      builtInAccount('Charles Babbage', 'charles@example.com', false),
    ],
    // 21 digits, too many for a JSON number.
    idFrom: (digest) => `1${String(digest % 10n ** 20n).padStart(20, '0')}`,
    needsName: true,
  },
  inCognito: (base) => ({
    type: 'Google',
    known: {
      addresses: {
        authorize: `${base}/o/oauth2/v2/auth`,
        token: `${base}/token`,
        jwks: `${base}/oauth2/v3/certs`,
        userInfo: `${base}/v1/userinfo`,
        issuer: ISSUER,
      },
      details: ['client_secret'],
      clientSecret: ({ client_secret = '' }) => client_secret,
    },
  }),
  create: (options) => new Google(options),
});
