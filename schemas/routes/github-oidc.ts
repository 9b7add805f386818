import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';

export const endpoint = {
  // The endpoints of an authorization server: browsers call some, Cognito calls the others.
  method: 'ANY',
  path: '/github-oidc/{step}',
  caller: 'cognito',
  needs: ['github', 'signIdTokens', 'site'],
  // The function writes OpenID Connect's own formats.
  response: z.unknown(),
} as const satisfies Endpoint;
