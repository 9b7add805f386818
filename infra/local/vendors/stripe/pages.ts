import type Stripe from 'stripe';
import { html, type Html } from '../../base/html.ts';
import type { Ledger } from './ledger.ts';
import { lineItems } from './line-items.ts';
import { money } from './money.ts';
import { COUNTRIES, taxWithin } from './tax.ts';
import { cardForm, countryNames, field, page, standInNote } from './page-parts.ts';

const day = (seconds: number): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(seconds * 1000);

/** The page of a Checkout Session in its frame: the card form, or the session's status. */
export function checkoutPage(ledger: Ledger, session: Stripe.Checkout.Session, secret: string): string {
  switch (session.status) {
    case 'open':
      return page('Checkout', openCheckout(ledger, session, secret));
    case 'complete':
      return state('Payment complete', 'This checkout has been paid. There is nothing left to do here.');
    default:
      return state(
        'This checkout has expired',
        'Go back to the page you came from to begin a new subscription.',
      );
  }
}

export const missingPage = (): string =>
  state(
    'There is nothing here',
    'This address belongs to no checkout that the local stand-in for Stripe knows.',
  );

const state = (title: string, text: string): string =>
  page(
    title,
    html`<main class="state">
      <h1>${title}</h1>
      <p>${text}</p>
    </main>`,
  );

function openCheckout(ledger: Ledger, session: Stripe.Checkout.Session, secret: string): Html {
  const items = lineItems(ledger, session.id).data;
  const recurring = items[0]?.price?.recurring;
  const [every, interval] = [recurring?.interval_count ?? 1, recurring?.interval ?? 'month'];
  const currency = session.currency ?? 'usd';
  const email = session.customer_details?.email;
  const { background_color: background, button_color: button } = session.branding_settings ?? {};
  return html`<main class="checkout" data-background="${background}" data-button="${button}">
    <section class="summary">
      <h1>
        Subscribe to ${items.map((item) => item.description ?? '').join(', ')}
        <span class="total"
          >${money(session.amount_total ?? 0, currency)}
          <small>per ${every === 1 ? interval : `${every} ${interval}s`}</small>
        </span>
      </h1>
    </section>
    ${cardForm({
      action: `/embedded/${secret}/pay`,
      submit: 'Subscribe',
      busy: 'Processing…',
      done: 'Payment complete',
      words: session.custom_text.submit?.message,
      contact: html`<dl class="contact">
        <dt>Email</dt>
        <dd>${email ?? ''}</dd>
      </dl>`,
      ...(session.automatic_tax.enabled && { country: countryField(session) }),
      ...(session.tax_id_collection?.enabled && { business }),
    })}
    ${standInNote}
  </main>`;
}

/** The field of the buyer's country. The script shows the chosen country's taxes. */
function countryField({ amount_total: total, currency, customer_details: details }: Stripe.Checkout.Session) {
  const chosen = details?.address?.country ?? 'US';
  return html`<div class="field">
    <label for="country">Country or region</label>
    <select id="country" name="country" autocomplete="country" aria-describedby="taxes">
      ${COUNTRIES.map((country) => {
        const { amount } = taxWithin(total ?? 0, { country, taxId: undefined });
        const taxes = amount > 0 ? `Includes ${money(amount, currency ?? 'usd')} tax.` : '';
        return html`<option
          value="${country}"
          data-taxes="${taxes}"
          ${country === chosen ? html`selected` : undefined}
        >
          ${countryNames.of(country) ?? country}
        </option>`;
      })}
    </select>
    <p class="taxes" id="taxes" hidden></p>
  </div>`;
}

/** The page of `hosted_invoice_url`. Everyone with the address can pay an open invoice. */
export const invoicePage = (
  invoice: Stripe.Invoice,
  secret: string,
  payment: Stripe.PaymentIntent.Status | undefined,
): string =>
  page(
    `Invoice ${invoice.number ?? ''}`,
    html`<main class="state">
      <h1>Invoice ${invoice.number ?? ''}</h1>
      <p>
        ${[invoice.customer_name, invoice.customer_email].filter(Boolean).join(', ')}, ${day(invoice.created)}
      </p>
      <table>
        ${invoice.lines.data.map(
          (line) =>
            html`<tr>
              <td>${line.description ?? ''}</td>
              <td>${money(line.amount, line.currency)}</td>
            </tr>`,
        )}
        ${(invoice.total_taxes ?? [])
          .filter(({ amount }) => amount > 0)
          .map(
            ({ amount }) =>
              html`<tr>
                <td>Tax, included</td>
                <td>${money(amount, invoice.currency)}</td>
              </tr>`,
          )}
        ${(invoice.total_discount_amounts ?? []).map(
          ({ amount }) =>
            html`<tr>
              <td>Discount</td>
              <td>${money(-amount, invoice.currency)}</td>
            </tr>`,
        )}
        <tr>
          <th scope="row">${invoice.status === 'paid' ? 'Paid' : `Due (${invoice.status ?? ''})`}</th>
          <td>${money(invoice.amount_due, invoice.currency)}</td>
        </tr>
      </table>
      ${
        invoice.status !== 'open' && invoice.status !== 'uncollectible'
          ? undefined
          : html`${cardForm({
              action: `/invoice/${secret}/pay`,
              submit: `${payment === 'requires_action' ? 'Confirm' : 'Pay'} ${money(invoice.amount_remaining, invoice.currency)}`,
              busy: 'Processing…',
              done: 'Payment complete',
              contact: html``,
              hasCard: payment === 'requires_action',
            })}
            ${standInNote}`
      }
    </main>`,
  );

const business = html`<details>
  <summary>I’m purchasing as a business</summary>
  ${field({ name: 'business', label: 'Business name', autocomplete: 'organization' })}
  ${field({ name: 'taxId', label: 'Tax ID', autocomplete: 'off' })}
</details>`;
