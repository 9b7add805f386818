import { type Html, html } from '../base/html.ts';
import type { ListedAccount } from '../vendors/identity-providers/identity-providers.ts';
import type { Account } from './accounts.ts';
import { readable, table } from './elements.ts';

/** The site's accounts, and the accounts at identity providers that can sign in. */
export function peoplePage(accounts: readonly Account[], elsewhere: readonly ListedAccount[]): Html {
  return html`${accountsTable(accounts)}
    <h2>At identity providers</h2>
    ${table(
      'Accounts at identity providers',
      ['Provider', 'Name', 'E-mail', 'Id'],
      elsewhere.map(({ provider, name, primary, others, id }) => [
        provider,
        name,
        [primary, ...others]
          .map(({ email, verified }) => (verified ? email : `${email} (not verified)`))
          .join(', '),
        html`<code>${id}</code>`,
      ]),
    )}`;
}

function accountsTable(accounts: readonly Account[]): Html {
  if (accounts.length === 0) {
    return html`<p>
      No account yet. Sign up on <a href="/">the site</a>, or start the world with
      <code>npm start -- --people</code>: it makes an account in each state.
    </p>`;
  }
  return html`<p>
      <em>Sign in as</em> replaces the session of this browser, and opens the site as that user. No password
      is asked for.
    </p>
    ${table(
      'Accounts',
      ['Account', 'State', 'Ends', 'Signs in by', 'Signed up', 'Action'],
      accounts.map((account) => {
        const { email, name, state, endsAt, createdAt, sub, username, customer } = account;
        return [
          html`<div>
            <strong>${name || email}</strong><br />${email}
            <details>
              <summary>Ids</summary>
              <dl class="ids">
                <dt>Sub</dt>
                <dd><code>${sub}</code></dd>
                <dt>User name</dt>
                <dd><code>${username}</code></dd>
              </dl>
            </details>
            ${about('Mail', 'inbox', email)} ${about('Rows', 'rows', sub)}
            ${customer === null ? undefined : about('Payments', 'payments', customer)}
            ${about('Logs', 'logs', sub)}
          </div>`,
          html`<span data-state="${state}">${state}</span> <a href="/__local/why/${sub}">Why</a>`,
          endsAt === null ? '' : readable(new Date(endsAt)),
          waysIn(account).join(', '),
          readable(new Date(createdAt)),
          signInButton(account),
        ];
      }),
    )}`;
}

/** A link to another page of the console, with the entries that have `word`. */
const about = (label: string, section: string, word: string): Html =>
  html`<a href="/__local/${section}?q=${encodeURIComponent(word)}">${label}</a>`;

const waysIn = ({ hasPassword, providers }: Account): string[] => [
  ...(hasPassword ? ['Password'] : []),
  ...providers,
];

/** console.js stores the session in this browser. */
const signInButton = ({ sub, email, state }: Account): Html =>
  state === 'Unconfirmed'
    ? html`<a href="/__local/inbox">The code is in the inbox</a>`
    : html`<button
        type="button"
        data-sign-in="/__local/accounts/${sub}/sign-in"
        aria-label="Sign in as ${email}"
      >
        Sign in as
      </button>`;
