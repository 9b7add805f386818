import { type Account, type Accounts, builtInAccount } from './accounts.ts';
import { type ProviderAnswer, type ProviderRequest, json, tokenOf, webAddress } from './http.ts';
import { type Grants, isVerified } from './grants.ts';
import { answerPicker, type Picker, refusalPage } from './picker.ts';
import { type StandIn, standIn, type StandInOptions } from './stand-in.ts';

const CLIENT = { clientId: 'local', clientSecret: 'local-github' };

type GitHubOptions = StandInOptions<typeof CLIENT>;

const API = '/api.github.com';
const DOCUMENTATION = 'https://docs.github.com';
/** Characters. GitHub answers 500 to Cognito's state of many hundreds, and documents no limit. */
const LONGEST_STATE = 255;

/** GitHub's OAuth, and the two API calls that identify a user. */
class GitHub implements StandIn {
  readonly #client: GitHubOptions['client'];
  readonly #accounts: Accounts;
  readonly #grants: Grants;
  readonly #picker: Picker;

  constructor({ client, provider }: GitHubOptions) {
    this.#client = client;
    this.#accounts = provider.accounts;
    this.#grants = provider.grants;
    this.#picker = {
      provider,
      codePrefix: '',
      denied: {
        error: 'access_denied',
        error_description: 'The user has denied your application access.',
        error_uri: `${DOCUMENTATION}/apps/managing-oauth-apps/troubleshooting-authorization-request-errors/#access-denied`,
      },
    };
  }

  /** Answers for https://github.com, and below `API` for https://api.github.com. */
  answer(request: ProviderRequest): ProviderAnswer | undefined {
    if (request.path.startsWith(`${API}/`)) {
      return this.#answerApi({ ...request, path: request.path.slice(API.length) });
    }
    switch (`${request.method} ${request.path}`) {
      case 'GET /login/oauth/authorize':
      case 'POST /login/oauth/authorize':
        return this.#authorize(request);
      case 'POST /login/oauth/access_token':
        return inFormOf(request, this.#token(request));
      default:
        return undefined;
    }
  }

  #answerApi(request: ProviderRequest): ProviderAnswer {
    if (!request.headers['user-agent']) {
      return {
        status: 403,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: `Request forbidden by administrative rules. Please make sure your request has a User-Agent header (${DOCUMENTATION}/en/rest/overview/resources-in-the-rest-api#user-agent-required).`,
      };
    }
    const route = `${request.method} ${request.path}`;
    const token = tokenOf(request, ['bearer', 'token']);
    const grant = this.#grants.grantOfToken(token ?? '');
    if (!grant) return problem(401, token === undefined ? 'Requires authentication' : 'Bad credentials');
    const account = this.#accounts.byId(grant.account);
    const scopes = { 'x-oauth-scopes': grant.scopes.join(', ') };
    const has = (...any: string[]) => any.some((scope) => grant.scopes.includes(scope));
    if (route === 'GET /user') return json(userOf(account), 200, scopes);
    if (route === 'GET /user/emails' && has('user', 'user:email'))
      return json(emailsOf(account), 200, scopes);
    return problem(404, 'Not Found');
  }

  #authorize(request: ProviderRequest): ProviderAnswer {
    const { query } = request;
    const state = query.get('state') ?? undefined;
    if (state !== undefined && state.length > LONGEST_STATE) {
      return refusalPage(this.#picker.provider, {
        status: 500,
        title: 'Looks like something went wrong!',
        detail: `GitHub fails on a state as long as Cognito's: this one has ${state.length} characters.`,
      });
    }
    if (query.get('client_id') !== this.#client.clientId) {
      return refusalPage(this.#picker.provider, {
        status: 404,
        title: 'This is not the web page you are looking for',
        detail: 'There is no OAuth app with this client_id.',
      });
    }
    const redirectUri = webAddress(query.get('redirect_uri'));
    if (redirectUri === undefined) {
      return refusalPage(this.#picker.provider, {
        status: 400,
        title: 'Be careful!',
        detail:
          'The redirect_uri is not associated with this application: it must be an absolute http or https address.',
      });
    }
    const challenge = query.get('code_challenge') ?? undefined;
    if (challenge !== undefined && query.get('code_challenge_method') !== 'S256') {
      return refusalPage(this.#picker.provider, {
        status: 400,
        title: 'Be careful!',
        detail: 'GitHub supports only code_challenge_method=S256.',
      });
    }
    return answerPicker(this.#picker, request, {
      redirectUri,
      state,
      scopes: (query.get('scope') ?? '').split(/[ ,]+/).filter((scope) => scope !== ''),
      challenge,
      nonce: undefined,
    });
  }

  /** GitHub reports errors with status 200. */
  #token({ form }: ProviderRequest): TokenAnswer {
    const { clientId, clientSecret } = this.#client;
    if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
      return refused(
        'incorrect_client_credentials',
        'The client_id and/or client_secret passed are incorrect.',
      );
    }
    const codeGrant = this.#grants.redeemCode(form.get('code') ?? '');
    if (codeGrant?.kind === 'fails') return 'failure';
    if (!codeGrant || !isVerified(codeGrant.challenge, form.get('code_verifier'))) {
      return refused('bad_verification_code', 'The code passed is incorrect or expired.');
    }
    const redirectUri = form.get('redirect_uri');
    if (redirectUri !== null && redirectUri !== codeGrant.redirectUri) {
      return refused(
        'redirect_uri_mismatch',
        'The redirect_uri MUST match the registered callback URL for this application.',
      );
    }
    if (!this.#accounts.byId(codeGrant.grant.account).primary.verified) {
      return refused('unverified_user_email', 'The user must have a verified primary email.');
    }
    return {
      access_token: this.#grants.issueToken('gho_', codeGrant.grant),
      token_type: 'bearer',
      scope: codeGrant.grant.scopes.join(','),
    };
  }
}

type TokenAnswer = Record<string, string> | 'failure';

const refused = (error: string, description: string): TokenAnswer => ({
  error,
  error_description: description,
  error_uri: `${DOCUMENTATION}/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/#${error.replaceAll('_', '-')}`,
});

/** A form, unless the client accepts JSON. */
function inFormOf({ headers }: ProviderRequest, answer: TokenAnswer): ProviderAnswer {
  if (answer === 'failure') {
    return {
      status: 502,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: '<h1>502 Bad Gateway</h1>',
    };
  }
  if (headers.accept?.includes('json')) return json(answer);
  return {
    status: 200,
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'cache-control': 'no-store',
    },
    body: new URLSearchParams(answer).toString(),
  };
}

const problem = (status: number, message: string): ProviderAnswer =>
  json({ message, documentation_url: `${DOCUMENTATION}/rest`, status: String(status) }, status);

/** GitHub's user names have letters, digits and hyphens. */
const loginOf = ({ primary }: Account): string =>
  (primary.email.split('@')[0] ?? '').replaceAll(/[^a-z\d]+/gi, '-').slice(0, 39);

const userOf = (account: Account) => ({
  login: loginOf(account),
  id: Number(account.id),
  node_id: Buffer.from(`04:User${account.id}`).toString('base64'),
  avatar_url: `https://avatars.githubusercontent.com/u/${account.id}?v=4`,
  html_url: `https://github.com/${loginOf(account)}`,
  type: 'User',
  site_admin: false,
  name: account.name === '' ? null : account.name,
  // The public address. Few accounts have one.
  email: null,
});

const emailsOf = ({ id, primary, others, ...account }: Account) => [
  ...others.map((address) => ({ ...address, primary: false, visibility: null })),
  { ...primary, primary: true, visibility: 'private' },
  {
    email: `${id}+${loginOf({ id, primary, others, ...account })}@users.noreply.github.com`,
    verified: true,
    primary: false,
    visibility: null,
  },
];

export const github = standIn({
  name: 'GitHub',
  client: CLIENT,
  accounts: {
    builtIn: [
      builtInAccount('Ada Lovelace', 'ada@example.com', true, [
        { email: 'ada@analytical-engine.example', verified: true },
      ]),
      builtInAccount('Grace Hopper', 'grace@example.com', true, [
        { email: 'grace@navy.example', verified: false },
      ]),
      builtInAccount('Alan Turing', 'alan@example.com'),
      // A client that accepts any verified address picks the wrong address.
      builtInAccount('Charles Babbage', 'charles@example.com', false, [
        { email: 'charles@difference-engine.example', verified: true },
      ]),
    ],
    // A JSON number.
    idFrom: (digest) => String(10_000_000n + (digest % 10n ** 9n)),
    needsName: false,
  },
  origins: { 'https://github.com': '', 'https://api.github.com': API },
  create: (options) => new GitHub(options),
});
