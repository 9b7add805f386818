/** `unreachable`: the token has expired, and Cognito can't be reached to renew it. */
export type AccessToken = { kind: 'token'; token: string } | { kind: 'none' } | { kind: 'unreachable' };
