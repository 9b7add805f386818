import { readFileSync } from 'node:fs';

/**
 * Source of the classic script that lets Amplify, which speaks only HTTPS to a pool's hosted domain, reach one at `origin`,
 * like http://localhost:3001.
 */
export const cognitoOverHttp = (origin: string): string =>
  readFileSync(new URL('cognito-over-http.js', import.meta.url), 'utf8').replace('{{origin}}', origin);
