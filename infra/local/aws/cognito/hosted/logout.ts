import { cookie, redirect } from './answers.ts';
import { type Endpoint, requiredPageParameter } from './endpoint.ts';
import { hostedClient } from './hosted-client.ts';
import { PageError } from './oauth-error.ts';

/** Ends the hosted session and redirects to the client or to another sign-in. Issued tokens stay valid. */
export const logout: Endpoint = ({ cookies, parts, query }) => {
  const client = hostedClient(parts, requiredPageParameter(query, 'client_id'));
  if (!client) throw new PageError('Client does not exist.');
  const { LogoutURLs, CallbackURLs } = client.settings;
  const [logoutUri = ''] = query.getAll('logout_uri');
  const leave = LogoutURLs.includes(logoutUri) && query.getAll('logout_uri').length === 1;
  // An unregistered logout address counts as absent, and then these parameters are required.
  if (!leave) {
    if (!CallbackURLs.includes(requiredPageParameter(query, 'redirect_uri')))
      throw new PageError('redirect_mismatch');
    requiredPageParameter(query, 'response_type');
  }
  parts.hostedSessions.end(cookies.get('cognito') ?? '');
  const to = leave ? logoutUri : `/oauth2/authorize?${query.toString()}`;
  return redirect(to, [cookie('cognito', '', 0)]);
};
