/** Where an app asked for its tokens, and the text it wants back with them. */
export interface RelayRequest {
  redirectUri: string | null;
  state: string | null;
}

/** The name that a query gives more than once, or null. Which of the two counts is a thing that readers don't agree on. */
export function doubledName(query: URLSearchParams): string | null {
  return [...query.keys()].find((name) => query.getAll(name).length > 1) ?? null;
}

export const requestOf = (query: URLSearchParams): RelayRequest => ({
  redirectUri: query.get('redirect_uri') || null,
  state: query.get('state'),
});

/**
 * Whether a query is what Cognito came back with. One that names a redirect address is an app's: Cognito sends people to the
 * bare page.
 */
export const isAnswer = (query: URLSearchParams): boolean =>
  !query.has('redirect_uri') && (query.has('code') || query.has('error'));

/** The page's address as the specification has it. It is all that is left in the address bar. */
export function callbackPath({ redirectUri, state }: RelayRequest): string {
  const query = new URLSearchParams();
  if (redirectUri !== null) query.set('redirect_uri', redirectUri);
  if (state !== null) query.set('state', state);
  return query.size > 0 ? `/oauth/callback?${query.toString()}` : '/oauth/callback';
}
