/** A token to call with; `none` when nobody is signed in; `unreachable` when the provider can't be asked just now. */
export type AccessToken = { kind: 'token'; token: string } | { kind: 'none' } | { kind: 'unreachable' };
