import { EndSessionRequest, EndSessionResponse } from '../shapes/sessions.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Ends sessions of the account. Our API refuses a browser's session from then on, although Cognito goes on
 * refreshing it: .github/decisions/0062-sessions.md.
 */
export const endpoint = {
  method: 'POST',
  path: '/end-session',
  caller: 'bearer',
  tables: {
    UserPlans: ['GetItem', 'UpdateItem'],
    AppSessions: ['GetItem', 'Query', 'UpdateItem', 'DeleteItem'],
  },
  needs: [],
  body: EndSessionRequest,
  response: EndSessionResponse,
  status: 200,
  refusals: [],
} as const satisfies Endpoint;
