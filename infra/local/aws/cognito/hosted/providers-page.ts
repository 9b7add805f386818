import { html } from '../../../base/html.ts';
import type { UserPoolClient } from '../pools.ts';
import { page } from './answers.ts';
import type { HostedAnswer } from './endpoint.ts';

/** Offers the client's identity providers. Cognito's page accepts passwords too, as the site does here. */
export function providersPage({ settings }: UserPoolClient, query: URLSearchParams): HostedAnswer {
  const names = settings.SupportedIdentityProviders.filter((name) => name !== 'COGNITO');
  const address = (name: string): string => {
    const again = new URLSearchParams(query);
    again.set('identity_provider', name);
    return `/oauth2/authorize?${again.toString()}`;
  };
  return page(
    200,
    'Sign in',
    html`<ul>
        ${names.map((name) => html`<li><a href="${address(name)}">Continue with ${name}</a></li>`)}
      </ul>
      ${
        settings.SupportedIdentityProviders.includes('COGNITO')
          ? html`<p>To sign in with a password, go back to the site.</p>`
          : undefined
      }`,
  );
}
