import * as z from 'zod/mini';
import { type Html, html } from '../../base/html.ts';
import type { Account, Accounts, Provider } from './accounts.ts';
import { type Answer, type Asked, page, redirect } from './exchange.ts';
import type { Agreed, Grants } from './grants.ts';

export const names: Record<Provider, string> = { google: 'Google', github: 'GitHub' };

/** A validated authorization request. */
export interface SignInRequest {
  redirectUri: string;
  state: string | undefined;
  scopes: string[];
  challenge: string | undefined;
  nonce: string | undefined;
}

/** How a provider signs users in. */
export interface Picker {
  provider: Provider;
  accounts: Accounts;
  grants: Grants;
  codePrefix: string;
  /** The parameters of the redirect if the user cancels. */
  denied: Record<string, string>;
}

const SomebodyElse = z.object({
  name: z.string().check(z.trim(), z.maxLength(100)),
  email: z.string().check(z.trim(), z.email(), z.maxLength(254)),
});

/** Shows the page where the user picks an account, or redirects to the client with the choice. */
export function answerPicker(picker: Picker, asked: Asked, request: SignInRequest): Answer {
  const { accounts, codePrefix, denied, grants, provider } = picker;
  if (asked.method === 'GET') return page(pickerPage(picker, asked, request));
  const { form } = asked;
  const goOn = (agreed: Agreed) =>
    redirect(request.redirectUri, { code: grants.agree(codePrefix, agreed), state: request.state });
  const goOnAs = ({ primary }: Account) => {
    const { redirectUri, scopes, challenge, nonce } = request;
    return goOn({ kind: 'granted', grant: { email: primary.email, scopes }, redirectUri, challenge, nonce });
  };
  if (form.has('cancel')) return redirect(request.redirectUri, { ...denied, state: request.state });
  if (form.has('fail')) return goOn({ kind: 'fails' });
  const chosen = accounts.find(form.get('person') ?? '');
  if (chosen) return goOnAs(chosen);
  const given = SomebodyElse.safeParse({ name: form.get('name') ?? '', email: form.get('email') ?? '' }).data;
  if (given && (given.name !== '' || provider === 'github')) {
    const primary = { email: given.email, verified: form.has('verified') };
    return goOnAs(accounts.remember({ name: given.name, primary }));
  }
  return page(
    pickerPage(picker, asked, request, 'Give a name and an e-mail address like ada@example.com.'),
    400,
  );
}

/** A page that says why there is nothing to choose. */
export const refusalPage = (
  provider: Provider,
  { status, title, detail }: { status: number; title: string; detail: string },
): Answer =>
  page(
    layout(
      provider,
      title,
      html`<h1>${title}</h1>
        <p class="lead">${detail}</p>`,
    ),
    status,
  );

/** `problem`: shown with the submitted values still in the fields. */
function pickerPage(
  { accounts, provider }: Picker,
  { form }: Asked,
  { redirectUri }: SignInRequest,
  problem?: string,
): string {
  const name = names[provider];
  return layout(
    provider,
    `Sign in with ${name}`,
    html`<h1>Sign in with ${name}</h1>
      <p class="lead">
        to go on to <strong>${new URL(redirectUri).host}</strong>. No real account is used, and nothing leaves
        this machine.
      </p>
      <section aria-labelledby="people">
        <h2 id="people">Choose an account</h2>
        <form method="post">
          <ul class="people">
            ${accounts.list().map((account, index) => personButton(account, `person-${index}`))}
          </ul>
        </form>
      </section>
      <section aria-labelledby="somebody">
        <h2 id="somebody">Be somebody else</h2>
        ${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
        <form method="post" class="somebody">
          <div class="field">
            <label for="name">Name</label>
            <input
              id="name"
              name="name"
              autocomplete="off"
              maxlength="100"
              value="${form.get('name') ?? ''}"
              ${provider === 'google' ? html`required` : html`aria-describedby="name-hint"`}
            />
            ${provider === 'github' ? html`<p class="hint" id="name-hint">May stay empty: many at GitHub have none.</p>` : ''}
          </div>
          <div class="field">
            <label for="email">Email</label>
            <input
              id="email"
              name="email"
              type="email"
              autocomplete="off"
              maxlength="254"
              required
              value="${form.get('email') ?? ''}"
            />
          </div>
          <label class="check">
            <input
              type="checkbox"
              name="verified"
              ${problem === undefined || form.has('verified') ? html`checked` : ''}
            />
            The address is verified
          </label>
          <button class="primary">Sign in</button>
        </form>
      </section>
      <section aria-labelledby="otherwise">
        <h2 id="otherwise">Let it go wrong</h2>
        <form method="post" class="otherwise">
          <div>
            <button name="cancel" aria-describedby="cancel-hint">Cancel</button>
            <p class="hint" id="cancel-hint">Goes back without signing in.</p>
          </div>
          <div>
            <button name="fail" aria-describedby="fail-hint">Fail</button>
            <p class="hint" id="fail-hint">Goes on, and then ${name} breaks down.</p>
          </div>
        </form>
      </section>`,
  );
}

const personButton = ({ name, primary, others }: Account, id: string): Html => {
  const notes = [
    ...(primary.verified ? [] : ['address not verified']),
    ...others.map(({ email, verified }) => `also ${email}${verified ? '' : ', not verified'}`),
  ].join('; ');
  return html`<li>
    <button name="person" value="${primary.email}" ${notes ? html`aria-describedby="${id}"` : ''}>
      <span class="initial" aria-hidden="true">${(name || primary.email).slice(0, 1).toUpperCase()}</span>
      <span class="name">${name}</span> <span class="email">${primary.email}</span>
    </button>
    ${notes ? html`<p class="hint" id="${id}">${notes}</p>` : ''}
  </li>`;
};

const layout = (provider: Provider, title: string, body: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · local stand-in</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/picker.css" />
      </head>
      <body data-provider="${provider}">
        <main>
          <p class="stand-in">Local stand-in for ${names[provider]}</p>
          ${body}
        </main>
      </body>
    </html>`.source;
