import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import { type RsaKeyPair, rsaKeyPair } from '../../base/rsa-key-pair.ts';
import type { Collection } from '../../base/store.ts';
import { type Account, builtInAccount } from './accounts.ts';
import type { CodeGrant, Grants } from './grants.ts';
import { type ProviderAnswer, json, type ProviderRequest, webAddress } from './http.ts';
import { answerPicker, type Picker, refusalPage } from './picker.ts';
import { type StandIn, standIn, type StandInOptions } from './stand-in.ts';

const ISSUER = 'https://appleid.apple.com';
const RELAY = '@privaterelay.appleid.com';

// Apple's file has this between its first and last line. Made anew in each process: nothing keeps it.
const privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

const CLIENT = {
  servicesId: 'local.selfsame.signin',
  teamId: 'LOCALTEAM0',
  keyId: 'LOCALKEY00',
  privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
};

type AppleOptions = StandInOptions<typeof CLIENT>;

const keyOf = (base64: string) =>
  createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' });

/** The parameter `user` of the form at the first sign-in. */
const FirstSignIn = z.object({ name: z.object({ firstName: z.string(), lastName: z.string() }) });

/** Sign in with Apple, after its REST API. Accounts with a relayed address hide their own. */
class Apple implements StandIn {
  readonly #clock: Clock;
  readonly #client: typeof CLIENT;
  readonly #provider: AppleOptions['provider'];
  readonly #grants: Grants;
  readonly #keys: Collection<RsaKeyPair>;
  /** The accounts that have signed in to the client. */
  readonly #known: Collection<{ id: string }>;
  readonly #picker: Picker;

  constructor({ client, clock, store, provider }: AppleOptions) {
    this.#clock = clock;
    this.#client = client;
    this.#provider = provider;
    this.#grants = provider.grants;
    this.#keys = store.collection('providers/apple/keys');
    this.#known = store.collection('providers/apple/known');
    this.#picker = {
      provider,
      codePrefix: 'c',
      denied: { error: 'user_cancelled_authorize' },
      inForm: (account) => this.#nameOnce(account),
    };
  }

  answer(request: ProviderRequest): ProviderAnswer | Promise<ProviderAnswer> | undefined {
    switch (`${request.method} ${request.path}`) {
      case 'GET /auth/keys':
        return json({ keys: [this.#publicKey()] });
      case 'GET /auth/authorize':
      case 'POST /auth/authorize':
        return this.#authorize(request);
      case 'POST /auth/token':
        return this.#token(request.form);
      default:
        return undefined;
    }
  }

  #authorize(request: ProviderRequest): ProviderAnswer {
    const { query } = request;
    const redirectUri = webAddress(query.get('redirect_uri'));
    const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
    const problem =
      query.get('client_id') !== this.#client.servicesId
        ? 'invalid_client'
        : redirectUri === undefined
          ? 'Invalid web redirect url.'
          : query.get('response_type') !== 'code'
            ? 'The local stand-in supports only response_type=code.'
            : scopes.some((scope) => !['name', 'email'].includes(scope))
              ? 'invalid_scope'
              : scopes.length > 0 && query.get('response_mode') !== 'form_post'
                ? 'response_mode must be form_post when name or email scope is requested.'
                : undefined;
    if (problem !== undefined || redirectUri === undefined) {
      return refusalPage(this.#provider, { status: 400, title: 'Invalid request', detail: problem ?? '' });
    }
    return answerPicker(this.#picker, request, {
      redirectUri,
      state: query.get('state') ?? undefined,
      scopes,
      challenge: undefined,
      nonce: query.get('nonce') ?? undefined,
    });
  }

  /** The name, at the first sign-in alone. */
  #nameOnce({ id, name, primary }: Account): Record<string, string> {
    if (this.#known.get(id)) return {};
    this.#known.put(id, { id });
    const [firstName = '', ...rest] = name.split(' ');
    return {
      user: JSON.stringify({ name: { firstName, lastName: rest.join(' ') }, email: primary.email }),
    };
  }

  async #token(form: URLSearchParams): Promise<ProviderAnswer> {
    const isClient = await this.#isClient(form.get('client_secret') ?? '');
    if (form.get('client_id') !== this.#client.servicesId || !isClient) return refused('invalid_client');
    if (form.get('grant_type') !== 'authorization_code') return refused('unsupported_grant_type');
    const granted = this.#grants.redeemCode(form.get('code') ?? '');
    if (granted?.kind === 'fails') return json({ error: 'server_error' }, 500);
    if (!granted || form.get('redirect_uri') !== granted.redirectUri) return refused('invalid_grant');
    return json({
      access_token: this.#grants.issueToken('a', granted.grant, 3600),
      token_type: 'Bearer',
      expires_in: 3600,
      id_token: await this.#idToken(granted),
    });
  }

  /** Whether a JWT is the client's secret: signed with its key, for Apple, and for at most six months. */
  async #isClient(secret: string): Promise<boolean> {
    try {
      const { payload, protectedHeader } = await jwtVerify(
        secret,
        createPublicKey(keyOf(this.#client.privateKey)),
        {
          algorithms: ['ES256'],
          issuer: this.#client.teamId,
          subject: this.#client.servicesId,
          audience: ISSUER,
          currentDate: this.#clock.now(),
          requiredClaims: ['iat', 'exp'],
        },
      );
      const { iat = 0, exp = Infinity } = payload;
      return protectedHeader.kid === this.#client.keyId && exp - iat <= 15_777_000;
    } catch (error) {
      if (error instanceof errors.JOSEError) return false;
      throw error;
    }
  }

  #idToken({ grant, nonce }: Extract<CodeGrant, { kind: 'granted' }>): Promise<string> {
    const account = this.#provider.accounts.byId(grant.account);
    const { email, verified } = account.primary;
    const iat = Math.floor(this.#clock.now().getTime() / 1000);
    const claims = {
      iss: ISSUER,
      aud: this.#client.servicesId,
      sub: account.id,
      nonce,
      nonce_supported: true,
      ...(grant.scopes.includes('email') && {
        email,
        email_verified: verified,
        ...(email.endsWith(RELAY) && { is_private_email: true }),
      }),
      iat,
      exp: iat + 24 * 3600,
    };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: this.#publicKey().kid })
      .sign(createPrivateKey(rsaKeyPair(this.#keys, 'signing').privateKey));
  }

  #publicKey() {
    const { e, kty, n } = createPublicKey(rsaKeyPair(this.#keys, 'signing').publicKey).export({
      format: 'jwk',
    });
    return { alg: 'RS256', e, kid: 'LOCALAPPLE', kty, n, use: 'sig' };
  }
}

const refused = (error: string): ProviderAnswer => json({ error }, 400);

export const apple = standIn({
  name: 'Apple',
  client: CLIENT,
  accounts: {
    builtIn: [
      builtInAccount('Ada Lovelace', 'ada@example.com'),
      builtInAccount('Grace Hopper', `dx7bqm42kt${RELAY}`),
      builtInAccount('Charles Babbage', 'charles@example.com', false),
    ],
    // Six digits, 32 hexadecimal digits and four digits.
    idFrom: (digest) =>
      [
        String(digest % 10n ** 6n).padStart(6, '0'),
        digest.toString(16).padStart(64, '0').slice(0, 32),
        String((digest >> 32n) % 10n ** 4n).padStart(4, '0'),
      ].join('.'),
    needsName: true,
  },
  inCognito: (base) => ({
    type: 'SignInWithApple',
    known: {
      addresses: {
        authorize: `${base}/auth/authorize`,
        token: `${base}/auth/token`,
        jwks: `${base}/auth/keys`,
        issuer: ISSUER,
      },
      details: ['team_id', 'key_id', 'private_key'],
      clientSecret({ client_id = '', team_id = '', key_id = '', private_key = '' }, now) {
        const iat = Math.floor(now.getTime() / 1000);
        return new SignJWT({ iss: team_id, sub: client_id, aud: ISSUER, iat, exp: iat + 300 })
          .setProtectedHeader({ alg: 'ES256', kid: key_id })
          .sign(keyOf(private_key));
      },
      claimsInForm(form): Record<string, string> {
        const user = form.get('user');
        if (user === null) return {};
        const { firstName, lastName } = FirstSignIn.parse(JSON.parse(user)).name;
        return { firstName, lastName, name: `${firstName} ${lastName}`.trim() };
      },
    },
  }),
  create: (options) => new Apple(options),
});
