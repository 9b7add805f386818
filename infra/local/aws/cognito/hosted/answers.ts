import { document, html, type Html } from '../../../base/html.ts';
import type { AuthorizationRequest } from './authorization-requests.ts';
import type { HostedAnswer } from './endpoint.ts';
import type { OAuthError } from './oauth-error.ts';

/** `cognito` identifies the hosted session; `csrf-state` a redirect to an identity provider. */
export type CookieName = 'cognito' | 'csrf-state';

/**
 * `lifetime` in seconds; 0 deletes the cookie. Unlike Cognito's cookies not `Secure`, because the stand-in
 * uses plain HTTP, and so `Lax`: providers' forms come from the same site, another port.
 */
export const cookie = (name: CookieName, value: string, lifetime: number): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetime}`;

export const redirect = (to: string | URL, cookies: string[] = []): HostedAnswer => ({
  status: 302,
  headers: { location: String(to), 'cache-control': 'no-store', 'set-cookie': cookies },
  body: '',
});

/** Redirects to the client with its `state`. */
export function redirectToClient(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  parameters: Record<string, string>,
  cookies: string[] = [],
): HostedAnswer {
  const address = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.append(name, value);
  if (state !== undefined) address.searchParams.append('state', state);
  return redirect(address, cookies);
}

export const redirectWithError = (
  request: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  { code, description }: OAuthError,
  cookies: string[] = [],
): HostedAnswer =>
  redirectToClient(request, { ...(description && { error_description: description }), error: code }, cookies);

export const json = (status: number, body: object, headers: Record<string, string> = {}): HostedAnswer => ({
  status,
  headers: { 'content-type': 'application/json;charset=UTF-8', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
});

export const page = (status: number, title: string, body: Html): HostedAnswer => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  },
  body: document({
    title,
    body: html`<main>
      <h1>${title}</h1>
      ${body}
    </main>`,
  }),
});
