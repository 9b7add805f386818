import * as z from 'zod/mini';
import { document, type Html, html } from '../../base/html.ts';
import type { Account } from './accounts.ts';
import { type ProviderAnswer, formPost, type ProviderRequest, page, redirect } from './http.ts';
import type { CodeGrant } from './grants.ts';
import type { Provider } from './stand-in.ts';

/** A validated authorization request. */
export interface SignInRequest {
  redirectUri: string;
  state: string | undefined;
  scopes: string[];
  challenge: string | undefined;
  nonce: string | undefined;
}

export interface Picker {
  provider: Provider;
  codePrefix: string;
  /** The parameters of the answer if the user cancels. */
  denied: Record<string, string>;
  /** Parameters about the account beside the code, in an answer by form. @default a query answers */
  inForm?: (account: Account) => Record<string, string>;
}

const Email = z.string().check(z.trim(), z.email(), z.maxLength(254));
const EnteredAccount = z.object({ name: z.string().check(z.trim(), z.maxLength(100)), email: Email });

/** Shows the page where the user picks an account, or redirects to the client with the choice. */
export function answerPicker(
  picker: Picker,
  request: ProviderRequest,
  signIn: SignInRequest,
): ProviderAnswer {
  const { codePrefix, denied, inForm, provider } = picker;
  const { accounts, grants, needsName } = provider;
  if (request.method === 'GET') return page(pickerPage(picker, request, signIn));
  const { form } = request;
  const { redirectUri, state, scopes, challenge, nonce } = signIn;
  const answer = (parameters: Record<string, string>) =>
    (inForm ? formPost : redirect)(redirectUri, { ...parameters, state });
  const code = (grant: CodeGrant) => ({ code: grants.issueCode(codePrefix, grant) });
  const signInAs = (account: Account) => {
    const grant = { account: account.id, scopes };
    return answer({
      ...code({ kind: 'granted', grant, redirectUri, challenge, nonce }),
      ...inForm?.(account),
    });
  };
  if (form.has('cancel')) return answer(denied);
  if (form.has('fail')) return answer(code({ kind: 'fails' }));
  const chosen = accounts.byEmail(form.get('person') ?? '');
  if (chosen && form.has('changed')) {
    const changed = Email.safeParse(form.get('changed')).data;
    const primary = changed !== undefined && { email: changed, verified: form.has('verified') };
    const account = primary && accounts.changeAddress(chosen, primary);
    return account
      ? signInAs(account)
      : page(pickerPage(picker, request, signIn, { changed: 'Give an address that no account has.' }), 400);
  }
  if (chosen) return signInAs(chosen);
  const entered = EnteredAccount.safeParse({
    name: form.get('name') ?? '',
    email: form.get('email') ?? '',
  }).data;
  if (entered && (entered.name !== '' || !needsName)) {
    const primary = { email: entered.email, verified: form.has('verified') };
    return signInAs(accounts.save({ name: entered.name, primary }));
  }
  const problem = { entered: 'Give a name and an email address like ada@example.com.' };
  return page(pickerPage(picker, request, signIn, problem), 400);
}

/** A page that explains why there is nothing to choose. */
export const refusalPage = (
  provider: Provider,
  { status, title, detail }: { status: number; title: string; detail: string },
): ProviderAnswer =>
  page(
    layout(
      provider,
      title,
      html`<h1>${title}</h1>
        <p class="lead">${detail}</p>`,
    ),
    status,
  );

/** `problem`: shown at its form, with the submitted values still in the fields. */
function pickerPage(
  { provider }: Picker,
  { form }: ProviderRequest,
  { redirectUri }: SignInRequest,
  problem: { entered?: string; changed?: string } = {},
): string {
  const { accounts, name, needsName } = provider;
  return layout(
    provider,
    `Sign in with ${name}`,
    html`<h1>Sign in with ${name}</h1>
      <p class="lead">
        to continue to <strong>${new URL(redirectUri).host}</strong>. No real account is used, and nothing
        leaves this machine.
      </p>
      <section aria-labelledby="people">
        <h2 id="people">Choose an account</h2>
        <form method="post">
          <ul class="people">
            ${accounts.list().map((account, index) => accountButton(account, `person-${index}`))}
          </ul>
        </form>
      </section>
      <section aria-labelledby="other">
        <h2 id="other">Use another account</h2>
        ${problemNote(problem.entered)}
        <form method="post" class="other">
          <div class="field">
            <label for="name">Name</label>
            <input
              id="name"
              name="name"
              autocomplete="off"
              maxlength="100"
              value="${form.get('name') ?? ''}"
              ${needsName ? html`required` : html`aria-describedby="name-hint"`}
            />
            ${needsName ? '' : html`<p class="hint" id="name-hint">Optional: many ${name} accounts have no name.</p>`}
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
              ${problem.entered === undefined || form.has('verified') ? html`checked` : ''}
            />
            The address is verified
          </label>
          <button class="primary">Sign in</button>
        </form>
      </section>
      ${changeSection(accounts, form, problem.changed)}
      <section aria-labelledby="otherwise">
        <h2 id="otherwise">Simulate a failure</h2>
        <form method="post" class="otherwise">
          <div>
            <button name="cancel" aria-describedby="cancel-hint">Cancel</button>
            <p class="hint" id="cancel-hint">Returns without signing in.</p>
          </div>
          <div>
            <button name="fail" aria-describedby="fail-hint">Fail</button>
            <p class="hint" id="fail-hint">Continues, and then ${name} fails.</p>
          </div>
        </form>
      </section>`,
  );
}

const changeSection = (
  accounts: Provider['accounts'],
  form: URLSearchParams,
  problem: string | undefined,
): Html =>
  html`<section aria-labelledby="change">
    <h2 id="change">Change an account’s address</h2>
    ${problemNote(problem)}
    <form method="post" class="other">
      <div class="field">
        <label for="account">Account</label>
        <select id="account" name="person">
          ${accounts.list().map(({ primary: { email } }) => {
            const selected = email === form.get('person') ? html`selected` : '';
            return html`<option value="${email}" ${selected}>${email}</option>`;
          })}
        </select>
      </div>
      <div class="field">
        <label for="changed">New address</label>
        <input
          id="changed"
          name="changed"
          type="email"
          autocomplete="off"
          maxlength="254"
          required
          value="${form.get('changed') ?? ''}"
        />
      </div>
      <label class="check">
        <input
          type="checkbox"
          name="verified"
          ${problem === undefined || form.has('verified') ? html`checked` : ''}
        />
        The new address is verified
      </label>
      <button>Change and continue</button>
    </form>
  </section>`;

const problemNote = (problem: string | undefined): Html | string =>
  problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`;

const accountButton = ({ name, primary, others }: Account, id: string): Html => {
  const notes = [
    ...(primary.verified ? [] : ['address not verified']),
    ...others.map(({ email, verified }) => `also ${email}${verified ? '' : ', not verified'}`),
  ].join('; ');
  return html`<li>
    <button name="person" value="${primary.email}" ${notes ? html`aria-describedby="${id}"` : ''}>
      <span class="name">${name}</span> <span class="email">${primary.email}</span>
    </button>
    ${notes ? html`<p class="hint" id="${id}">${notes}</p>` : ''}
  </li>`;
};

const layout = ({ key, name }: Provider, title: string, body: Html): string =>
  document({
    title: `${title} · local stand-in`,
    head: html`<link rel="icon" href="data:," /> <link rel="stylesheet" href="/picker.css" />`,
    attributes: html`data-provider="${key}"`,
    body: html`<main>
      <p class="stand-in">Local stand-in for ${name}</p>
      ${body}
    </main>`,
  });
