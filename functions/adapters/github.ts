import * as z from 'zod/mini';
import type { OAuthClientSecret, VariablesOf } from '../../schemas/config/environment.ts';
import { product } from '../../schemas/product/product.ts';

export type Redemption =
  | { kind: 'redeemed'; token: string }
  /** The code was used before, is older than ten minutes, or has another verifier. */
  | { kind: 'refused' }
  /** GitHub issues no token to a user without a verified address. */
  | { kind: 'unverified' };

/** GitHub doesn't answer, or answers unexpectedly. The error contains no token and no code. */
export class GitHubFailure extends Error {
  /** Method and path. */
  readonly request: string;
  /** HTTP status, or the fault of an answer with status 200, or the reason why there was no answer. */
  readonly status: number | string;

  constructor(request: string, status: number | string) {
    super(`${request}: ${status}`);
    this.name = 'GitHubFailure';
    this.request = request;
    this.status = status;
  }
}

// Milliseconds. Cognito doesn't document how long it waits for a provider; for a trigger it is five seconds.
// A sign-in calls GitHub twice in sequence, which leaves one second for a cold start and the signature.
const TIME_LIMIT = 2_000;

// GitHub may add fields. Undeclared fields are dropped.
const Token = z.object({ access_token: z.string().check(z.minLength(1)) });
const TokenRefused = z.object({ error: z.string().check(z.regex(/^[\w-]{1,64}$/)) });
const User = z.object({
  id: z.int().check(z.positive()),
  login: z.string().check(z.minLength(1)),
  name: z.nullish(z.string()),
});
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** GitHub's OAuth, and the API calls that identify a user. `client`: our OAuth client at GitHub. */
export function github(
  { GITHUB_URL, GITHUB_API }: Pick<VariablesOf<'github'>, 'GITHUB_URL' | 'GITHUB_API'>,
  client: () => Promise<OAuthClientSecret>,
) {
  const get = async <S extends z.ZodMiniType>(schema: S, path: string, token: string, query = '') => {
    const answer = await requestJson(`GET ${path}${query}`, `${GITHUB_API}${path}${query}`, {
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        // GitHub refuses requests without a user agent.
        'user-agent': product.name,
      },
    });
    const parsed = schema.safeParse(answer);
    if (!parsed.success) throw new GitHubFailure(`GET ${path}`, 'an answer of an unexpected shape');
    return parsed.data;
  };

  return {
    /** The address at which GitHub asks the user whether to sign in here. */
    async authorizationUrl(request: { redirectUri: string; state: string; codeChallenge: string }) {
      const parameters = new URLSearchParams({
        client_id: (await client()).clientId,
        redirect_uri: request.redirectUri,
        scope: 'read:user user:email',
        state: request.state,
        code_challenge: request.codeChallenge,
        code_challenge_method: 'S256',
      });
      return `${GITHUB_URL}/login/oauth/authorize?${parameters.toString()}`;
    },

    /** A code can be redeemed once. */
    async redeem(of: { code: string; verifier: string; redirectUri: string }): Promise<Redemption> {
      const request = 'POST /login/oauth/access_token';
      const { clientId, clientSecret } = await client();
      const answer = await requestJson(request, `${GITHUB_URL}/login/oauth/access_token`, {
        method: 'POST',
        headers: { accept: 'application/json', 'user-agent': product.name },
        body: new URLSearchParams({
          client_id: clientId,
          client_secret: clientSecret,
          code: of.code,
          code_verifier: of.verifier,
          redirect_uri: of.redirectUri,
        }),
      });
      // GitHub refuses with status 200.
      const token = Token.safeParse(answer);
      if (token.success) return { kind: 'redeemed', token: token.data.access_token };
      switch (TokenRefused.safeParse(answer).data?.error) {
        case 'bad_verification_code':
          return { kind: 'refused' };
        case 'unverified_user_email':
          return { kind: 'unverified' };
        case undefined:
          throw new GitHubFailure(request, 'an answer of an unexpected shape');
        default:
          // Our keys or our callback address are wrong, which the user can't fix.
          throw new GitHubFailure(request, TokenRefused.parse(answer).error);
      }
    },

    async user(token: string) {
      const [user, emails] = await Promise.all([
        get(User, '/user', token),
        // A hundred is the maximum. The default of thirty may end a page before the primary address.
        get(Emails, '/user/emails', token, '?per_page=100'),
      ]);
      return {
        /** Never changes and is never reused, unlike the login. */
        id: String(user.id),
        name: user.name?.trim() || user.login,
        /** The primary address as GitHub spells it; undefined unless GitHub has verified it. */
        email: emails.find(({ primary, verified }) => primary && verified)?.email,
      };
    },
  };
}
export type GitHub = ReturnType<typeof github>;

async function requestJson(request: string, url: string, init: RequestInit): Promise<unknown> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIME_LIMIT) });
    text = await response.text();
  } catch (error) {
    throw new GitHubFailure(request, error instanceof Error ? error.name : 'no answer');
  }
  if (!response.ok) throw new GitHubFailure(request, response.status);
  try {
    return JSON.parse(text);
  } catch {
    throw new GitHubFailure(request, 'an answer that is not JSON');
  }
}
