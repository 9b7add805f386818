import { document, html, type Html } from '../../base/html.ts';

/** A page with the styles and the form's script of all pages. */
export const page = (title: string, body: Html): string =>
  document({
    title,
    head: html`<link rel="stylesheet" href="/page/page.css" />
      <script src="/page/card-form.js" defer></script>`,
    body,
  });

export const countryNames = new Intl.DisplayNames('en-US', { type: 'region' });

const cards = [
  ['4242 4242 4242 4242', 'pays'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0000 0000 9995', 'has insufficient funds'],
  ['4000 0025 0000 3155', 'asks its bank'],
  ['4000 0000 0000 0341', 'pays now, fails at renewal'],
  ['4000 0000 0000 0259', 'pays, and its bank takes it back'],
];

export const standInNote = html`<aside class="note" aria-label="About this form">
  <p><strong>Local stand-in for Stripe.</strong> No money moves. Any future date and any CVC will do:</p>
  <dl>
    ${cards.map(
      ([card, does]) =>
        html`<div>
          <dt><code>${card}</code></dt>
          <dd>${does}</dd>
        </div>`,
    )}
  </dl>
</aside>`;

interface CardForm {
  action: string;
  submit: string;
  busy: string;
  done: string;
  contact: Html;
  /** Whether the card is known and only waits for its holder to authenticate the payment. */
  hasCard?: boolean;
  /** The words above the button, in Markdown. */
  words?: string | undefined;
  country?: Html;
  business?: Html;
}

export function cardForm(form: CardForm): Html {
  return html`<form
    class="card"
    novalidate
    data-action="${form.action}"
    data-busy="${form.busy}"
    data-done="${form.done}"
  >
    ${form.contact} ${form.hasCard ? undefined : cardFields} ${form.country} ${form.business}
    <p class="refusal" role="alert" hidden></p>
    ${form.words === undefined ? undefined : html`<p class="words">${fromMarkdown(form.words)}</p>`}
    <button type="submit">${form.submit}</button>
    <dialog class="challenge" aria-labelledby="challenge">
      <h2 id="challenge">Your bank asks: is it you?</h2>
      <p>The bank's page is a stand-in, too. Nothing is charged before you answer.</p>
      <button type="button" value="accepted">Complete</button>
      <button type="button" value="refused">Fail</button>
      <button type="button" value="">Close</button>
    </dialog>
  </form>`;
}

const cardFields = html`${field({
    name: 'number',
    label: 'Card number',
    autocomplete: 'cc-number',
    placeholder: '1234 1234 1234 1234',
    numeric: true,
  })}
  <div class="pair">
    ${field({
      name: 'expiry',
      label: 'Expiration',
      autocomplete: 'cc-exp',
      placeholder: 'MM / YY',
      numeric: true,
    })}
    ${field({ name: 'cvc', label: 'CVC', autocomplete: 'cc-csc', placeholder: 'CVC', numeric: true })}
  </div>
  ${field({ name: 'name', label: 'Cardholder name', autocomplete: 'cc-name', placeholder: 'Full name on card' })}`;

/** Stripe's custom texts may have bold words and links. */
const fromMarkdown = (text: string): Html[] =>
  text.split(/(\*\*.+?\*\*|\[.+?\]\(https?:.+?\))/).map((part) => {
    const [, bold, label, address] = /^\*\*(.+)\*\*$|^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
    if (bold !== undefined) return html`<strong>${bold}</strong>`;
    return label === undefined ? html`${part}` : html`<a href="${address}" target="_blank">${label}</a>`;
  });

export function field(options: {
  name: string;
  label: string;
  autocomplete: string;
  placeholder?: string;
  numeric?: boolean;
  value?: string | null | undefined;
}): Html {
  const { name, label, autocomplete, placeholder = '', numeric = false, value } = options;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="text"
      autocomplete="${autocomplete}"
      placeholder="${placeholder}"
      value="${value ?? ''}"
      inputmode="${numeric ? 'numeric' : 'text'}"
      aria-describedby="${name}-problem"
    />
    <p class="problem" id="${name}-problem" hidden></p>
  </div>`;
}
