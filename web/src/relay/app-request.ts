/** An app's request: the address that gets the tokens, and the `state` that the app expects back. */
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
