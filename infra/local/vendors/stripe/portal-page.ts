import type Stripe from 'stripe';
import { html } from '../../base/html.ts';
import { idOf } from './ids.ts';
import type { Ledger } from './ledger.ts';
import { cardForm, countryNames, field, page, standInNote } from './page-parts.ts';
import { hasEnded } from './subscriptions.ts';
import { COUNTRIES } from './tax.ts';

/** The page of a portal session: its flow's, or else the page of the card. */
export function portalPage(ledger: Ledger, session: Stripe.BillingPortal.Session, secret: string): string {
  return session.flow?.type === 'customer_update'
    ? detailsPage(ledger, session, secret)
    : cardPage(ledger, session, secret);
}

/** The page for the name, address and tax id on the next invoices. */
function detailsPage(ledger: Ledger, session: Stripe.BillingPortal.Session, secret: string): string {
  const found = ledger.customers.get(session.customer);
  const customer = found?.deleted ? undefined : found;
  const address = customer?.address;
  return page(
    'Billing information',
    html`<main class="checkout">
      <section class="summary">
        <h1>Billing information</h1>
        <p>Shown on your next invoices.</p>
        ${session.return_url ? html`<p><a href="${session.return_url}">Back</a></p>` : undefined}
      </section>
      <form
        class="card"
        novalidate
        data-action="/portal/${secret}/details"
        data-busy="Saving…"
        data-done="Saved"
      >
        ${field({ name: 'name', label: 'Name', autocomplete: 'organization', value: customer?.name })}
        ${field({ name: 'line1', label: 'Address', autocomplete: 'address-line1', value: address?.line1 })}
        <div class="pair">
          ${field({ name: 'city', label: 'City', autocomplete: 'address-level2', value: address?.city })}
          ${field({
            name: 'postalCode',
            label: 'Postal code',
            autocomplete: 'postal-code',
            value: address?.postal_code,
          })}
        </div>
        <div class="field">
          <label for="country">Country or region</label>
          <select id="country" name="country" autocomplete="country">
            ${COUNTRIES.map(
              (country) =>
                html`<option
                  value="${country}"
                  ${country === (address?.country ?? 'US') ? html`selected` : undefined}
                >
                  ${countryNames.of(country) ?? country}
                </option>`,
            )}
          </select>
        </div>
        ${field({
          name: 'taxId',
          label: 'Tax ID',
          autocomplete: 'off',
          value: ledger.taxIds.get(session.customer)?.value,
        })}
        <p class="refusal" role="alert" hidden></p>
        <button type="submit">Save</button>
      </form>
    </main>`,
  );
}

/** The page where a customer replaces the card for renewals. */
function cardPage(ledger: Ledger, session: Stripe.BillingPortal.Session, secret: string): string {
  const customer = ledger.customers.get(session.customer);
  const own = customer?.deleted ? undefined : customer?.invoice_settings.default_payment_method;
  const current =
    ledger.subscriptions
      .list({ customer: session.customer })
      .filter((subscription) => !hasEnded(subscription))
      .map((subscription) => ledger.paymentMethods.get(idOf(subscription.default_payment_method)))
      .findLast((method) => method !== undefined) ?? ledger.paymentMethods.get(idOf(own));
  return page(
    'Billing',
    html`<main class="checkout">
      <section class="summary">
        <h1>Your card</h1>
        <p>${sentenceOf(current?.card)}</p>
        ${session.return_url ? html`<p><a href="${session.return_url}">Back</a></p>` : undefined}
      </section>
      ${cardForm({
        action: `/portal/${secret}/card`,
        submit: 'Save card',
        busy: 'Saving…',
        done: 'Card saved',
        contact: html`<dl class="contact">
          <dt>Email</dt>
          <dd>${customer?.deleted ? '' : (customer?.email ?? '')}</dd>
        </dl>`,
      })}
      ${standInNote}
    </main>`,
  );
}

const sentenceOf = (card: Stripe.PaymentMethod.Card | undefined): string =>
  card
    ? `${card.brand} ending in ${card.last4}, expires ${card.exp_month}/${card.exp_year}.`
    : 'There is no card yet.';
