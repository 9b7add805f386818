import { readFileSync } from 'node:fs';

/**
 * Source of the classic script that redirects Amplify to the hosted domain at `origin`, like
 * http://localhost:3001. Amplify itself only speaks HTTPS to a hosted domain.
 */
export const cognitoOverHttp = (origin: string): string =>
  readFileSync(new URL('cognito-over-http.js', import.meta.url), 'utf8').replace('{{origin}}', origin);
