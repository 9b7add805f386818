import { cookie, redirect } from './answers.ts';
import { type Endpoint, requiredPageParameter } from './endpoint.ts';
import { hostedClient } from './hosted-client.ts';
import { PageError } from './oauth-error.ts';

/** Ends the hosted session and redirects to the client. Issued tokens stay valid. */
export const logout: Endpoint = ({ cookies, parts, query }) => {
  const client = hostedClient(parts, requiredPageParameter(query, 'client_id'));
  if (!client) throw new PageError('Client does not exist.');
  const logoutUri = requiredPageParameter(query, 'logout_uri');
  // Cognito takes an unregistered address for a request to sign in again, which no page here sends.
  if (!client.settings.LogoutURLs.includes(logoutUri)) throw new PageError('redirect_mismatch');
  parts.hostedSessions.end(cookies.get('cognito') ?? '');
  return redirect(logoutUri, [cookie('cognito', '', 0)]);
};
