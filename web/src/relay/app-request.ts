import * as z from 'zod/mini';
import type { SiteConfig } from '../../../schemas/config/site-config.ts';
import { CodeChallenge } from '../../../schemas/shapes/code-challenge.ts';

/** The registered addresses of apps. */
export type Registered = Pick<SiteConfig, 'relayAddresses' | 'legacyAddresses'>;

/** An app's request: the address that gets the answer, and the `state` that the app expects back. */
export interface AppRequest {
  redirectUri: string | null;
  state: string | null;
}

/** A parameter that the query has more than once, or null. Parsers differ in which value they take. */
export function repeatedParameterIn(query: URLSearchParams): string | null {
  return [...query.keys()].find((name) => query.getAll(name).length > 1) ?? null;
}

export const appRequestIn = (query: URLSearchParams): AppRequest => ({
  redirectUri: query.get('redirect_uri') || null,
  state: query.get('state'),
});

/** Whether a query is Cognito's answer. Cognito's answer has no `redirect_uri`; an app's request has one. */
export const isAnswer = (query: URLSearchParams): boolean =>
  !query.has('redirect_uri') && (query.has('code') || query.has('error'));

/** The path that replaces the answer in the address bar: only the app's request. */
export function callbackPath({ redirectUri, state }: AppRequest): string {
  const query = new URLSearchParams();
  if (redirectUri !== null) query.set('redirect_uri', redirectUri);
  if (state !== null) query.set('state', state);
  return query.size > 0 ? `/oauth/callback?${query.toString()}` : '/oauth/callback';
}

/** An app's request for a code, which only the app can redeem: it has the verifier of this challenge. */
export const CodeRequest = z.object({
  challenge: CodeChallenge,
  /** `openid` is the account, without an ID token. The other scopes add one, with name and address. */
  scope: z.enum(['openid', 'openid email profile']),
  /** Repeated in the ID token; null if the app sent none. */
  nonce: z.nullable(z.string()),
});
export type CodeRequest = z.infer<typeof CodeRequest>;

const CODE_PARAMETERS = ['response_type', 'code_challenge', 'code_challenge_method'];

/**
 * Reads what an app asks for. `tokens`: no code, so tokens in its query. One parameter of the code flow
 * suffices to ask for a code: a request that lost its challenge on the way must not lead to tokens.
 */
export function askedFor(query: URLSearchParams): 'tokens' | 'faulty' | CodeRequest {
  if (!CODE_PARAMETERS.some((name) => query.has(name))) return 'tokens';
  const scopes = (query.get('scope') ?? 'openid').split(' ');
  const request = CodeRequest.safeParse({
    challenge: query.get('code_challenge'),
    // In this order alone: openid, email, profile.
    scope: scopes.toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)).join(' '),
    nonce: query.get('nonce'),
  });
  const isCode = query.get('response_type') === 'code' && query.get('code_challenge_method') === 'S256';
  return isCode && request.success ? request.data : 'faulty';
}

const ORDER = ['openid', 'email', 'profile'];
