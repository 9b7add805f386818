import type Stripe from 'stripe';
import * as z from 'zod/mini';
import { readCard, type ReadCard } from './cards.ts';
import { completeSession, recordDecline, returnAddress, sessionOfSecret } from './checkout.ts';
import { emptyAddress, updateCustomer } from './customers.ts';
import { StripeRefusal, type ErrorBody } from './errors.ts';
import { idOf } from './ids.ts';
import { noRequest, type Ledger } from './ledger.ts';
import { checkoutPage, invoicePage, missingPage } from './pages.ts';
import { addCard, createCard } from './payment-methods.ts';
import { existingIntent, failIntent } from './payment-intents.ts';
import { notAuthenticated, refusalOfCard } from './payments.ts';
import { portalPage } from './portal-page.ts';
import { attemptPayment, hasEnded, saveSubscription } from './subscriptions.ts';
import { saveTaxId } from './tax.ts';

export interface PageRequest {
  method: string;
  path: string;
  body: string;
}

export type PageAnswer =
  | { kind: 'page'; status: number; html: string }
  | { kind: 'form'; status: number; answer: FormAnswer };

type FormAnswer =
  | { kind: 'done'; returnUrl: string | undefined }
  /** The page shows the bank's question, and sends the form again with the answer. */
  | { kind: 'challenge' }
  | { kind: 'invalid'; problems: Record<string, string> }
  | { kind: 'refused'; message: string };

const Authentication = z.object({ authentication: z.optional(z.enum(['accepted', 'refused'])) });

const Entry = z.extend(Authentication, {
  number: z.string().check(z.maxLength(50)),
  expiry: z.string().check(z.maxLength(20)),
  cvc: z.string().check(z.maxLength(20)),
  name: z.string().check(z.maxLength(500)),
  business: z.optional(z.string().check(z.maxLength(150))),
  taxId: z.optional(z.string().check(z.maxLength(30))),
  country: z.optional(z.string().check(z.regex(/^[A-Z]{2}$/))),
});
/** The card form's fields. `authentication`: the cardholder's answer to the bank. */
export type Entry = z.infer<typeof Entry>;

const short = z.string().check(z.maxLength(150), z.trim());
const Details = z.object({
  name: short,
  line1: short,
  city: short,
  postalCode: short,
  country: z.string().check(z.regex(/^[A-Z]{2}$/)),
  taxId: short,
});

/** Answers browsers' requests. Undefined if the path belongs to no page. */
export function answerPage(ledger: Ledger, request: PageRequest): PageAnswer | undefined {
  const [, place, secret = '', action] = request.path.split('/');
  const what = `${request.method} ${place ?? ''}${action === undefined ? '' : `/${action}`}`;
  switch (what) {
    case 'GET embedded': {
      const session = sessionOfSecret(ledger, secret);
      return pageOrMissing(session && checkoutPage(ledger, session, secret));
    }
    case 'POST embedded/pay':
      return { kind: 'form', ...submitCheckout(ledger, secret, request.body) };
    case 'GET portal': {
      const session = ledger.portalSessions.get(secret);
      return pageOrMissing(session && portalPage(ledger, session, secret));
    }
    case 'POST portal/card':
      return { kind: 'form', ...submitPortalCard(ledger, secret, request.body) };
    case 'POST portal/details':
      return { kind: 'form', ...submitPortalDetails(ledger, secret, request.body) };
    case 'GET invoice':
    case 'GET invoice/pdf': {
      const invoice = invoiceOfSecret(ledger, secret);
      return pageOrMissing(invoice && invoicePage(invoice, secret, existingIntent(ledger, invoice)?.status));
    }
    case 'POST invoice/pay':
      return { kind: 'form', ...submitInvoicePayment(ledger, secret, request.body) };
    default:
      return undefined;
  }
}

const pageOrMissing = (html: string | undefined): PageAnswer =>
  html === undefined
    ? { kind: 'page', status: 404, html: missingPage() }
    : { kind: 'page', status: 200, html };

function invoiceOfSecret(ledger: Ledger, secret: string): Stripe.Invoice | undefined {
  const invoice = ledger.invoices.get(secret.slice(0, secret.lastIndexOf('_')));
  return invoice?.hosted_invoice_url?.endsWith(`/${secret}`) ? invoice : undefined;
}

interface FormOutcome {
  status: number;
  answer: FormAnswer;
}

const notFound: FormOutcome = {
  status: 404,
  answer: { kind: 'refused', message: 'This checkout does not exist.' },
};

const unreadable: FormOutcome = {
  status: 400,
  answer: { kind: 'refused', message: 'The form could not be read.' },
};

const challenge: FormOutcome = { status: 200, answer: { kind: 'challenge' } };

const unauthenticated = (): FormOutcome => {
  const { message } = notAuthenticated();
  return { status: 402, answer: { kind: 'refused', message } };
};

const done = (returnUrl: string | undefined): FormOutcome => ({
  status: 200,
  answer: { kind: 'done', returnUrl },
});

/** Synchronous from reading the session to recording the payment, so that two clicks pay once. */
function submitCheckout(ledger: Ledger, secret: string, body: string): FormOutcome {
  const session = sessionOfSecret(ledger, secret);
  if (!session) return notFound;
  if (session.status === 'complete') return done(returnAddress(session));
  if (session.status !== 'open') {
    return {
      status: 400,
      answer: { kind: 'refused', message: 'This checkout has expired. Go back to begin a new one.' },
    };
  }
  return withCard(ledger, body, {
    pay: (card, entry) => {
      const complete = completeSession(ledger, session, {
        card,
        businessName: entry.business?.trim() || null,
        country: entry.country ?? 'US',
        taxId: entry.taxId?.trim() || null,
      });
      return returnAddress(complete);
    },
    afterDecline: (card, error) => recordDecline(ledger, session, { card, error }),
  });
}

function submitPortalCard(ledger: Ledger, secret: string, body: string): FormOutcome {
  const session = ledger.portalSessions.get(secret);
  const customer = session && ledger.customers.get(session.customer);
  if (!customer || customer.deleted || session.flow?.type === 'customer_update') return notFound;
  const saveCard = (card: ReadCard): string | undefined => {
    const { behavior } = card.card;
    if (behavior.kind === 'refuses') throw new StripeRefusal(402, refusalOfCard(behavior));
    const method = addCard(ledger, card, customer);
    updateCustomer(ledger, customer.id, {
      invoice_settings: { ...customer.invoice_settings, default_payment_method: method.id },
    });
    // "The payment method is set as the customer.invoice_settings.default_payment_method" and nothing else.
    // Open invoices wait for their next attempt
    // (https://docs.stripe.com/customer-management/portal-deep-links).
    if (session.flow)
      return session.flow.after_completion.redirect?.return_url ?? session.return_url ?? undefined;
    for (const subscription of ledger.subscriptions.list({ customer: customer.id })) {
      if (hasEnded(subscription)) continue;
      saveSubscription(ledger, { ...subscription, default_payment_method: method.id }, subscription);
    }
    return session.return_url ?? undefined;
  };
  return withCard(ledger, body, { pay: saveCard });
}

/** Saves the name, address and tax id for the next invoices. */
function submitPortalDetails(ledger: Ledger, secret: string, body: string): FormOutcome {
  const session = ledger.portalSessions.get(secret);
  const customer = session && ledger.customers.get(session.customer);
  if (!customer || customer.deleted || session.flow?.type !== 'customer_update') return notFound;
  const entry = Details.safeParse(parse(body));
  if (!entry.success) return unreadable;
  const { name, line1, city, postalCode, country, taxId } = entry.data;
  ledger.transaction(noRequest, () => {
    const address = { ...emptyAddress, line1, city, postal_code: postalCode, country };
    updateCustomer(ledger, customer.id, { name, address });
    if (taxId) saveTaxId(ledger, customer.id, { country, value: taxId });
    else ledger.taxIds.delete(customer.id);
  });
  return done(session.flow.after_completion.redirect?.return_url ?? session.return_url ?? undefined);
}

function submitInvoicePayment(ledger: Ledger, secret: string, body: string): FormOutcome {
  const invoice = invoiceOfSecret(ledger, secret);
  if (!invoice) return notFound;
  if (invoice.status === 'paid') return done(undefined);
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
    return { status: 400, answer: { kind: 'refused', message: 'This invoice can no longer be paid.' } };
  }
  const customer = ledger.customers.get(idOf(invoice.customer));
  if (!customer || customer.deleted) return notFound;
  const how = { presence: 'on-session', attempt: 'requested' } as const;
  const intent = existingIntent(ledger, invoice);
  const waiting =
    intent?.status === 'requires_action' ? ledger.paymentMethods.get(idOf(intent.payment_method)) : undefined;
  if (intent && waiting) {
    const { authentication } = Authentication.safeParse(parse(body)).data ?? {};
    if (authentication === undefined) return challenge;
    if (authentication === 'refused') {
      ledger.transaction(noRequest, () =>
        failIntent(ledger, intent, { error: notAuthenticated(), method: waiting }),
      );
      return unauthenticated();
    }
    const outcome = ledger.transaction(noRequest, () => attemptPayment(ledger, invoice, how, waiting));
    return 'error' in outcome
      ? { status: 402, answer: { kind: 'refused', message: outcome.error.message } }
      : done(undefined);
  }
  return withCard(ledger, body, {
    pay: (card) => {
      const outcome = attemptPayment(ledger, invoice, how, addCard(ledger, card, customer));
      if ('error' in outcome) throw new StripeRefusal(402, outcome.error);
      return undefined;
    },
    // Only a card that has paid is attached to the customer.
    afterDecline: (card) => {
      const method = createCard(ledger, card, { customer: null, email: customer.email });
      attemptPayment(ledger, invoice, how, method);
    },
  });
}

interface CardForm {
  /** Pays. Returns the address that the browser goes to. A refusal undoes the effects. */
  pay: (card: ReadCard, entry: Entry) => string | undefined;
  /** Records a card's refusal, which outlives the undone transaction. */
  afterDecline?: (card: ReadCard, error: ErrorBody) => void;
}

/** Reads the entered card and pays with it in a transaction. */
function withCard(ledger: Ledger, body: string, { pay, afterDecline }: CardForm): FormOutcome {
  const entry = Entry.safeParse(parse(body));
  if (!entry.success) return unreadable;
  const card = readCard(entry.data, new Date(ledger.now() * 1000));
  if (!card.ok) return { status: 400, answer: { kind: 'invalid', problems: card.problems } };
  if (card.read.card.behavior.kind === 'authenticates') {
    if (entry.data.authentication === undefined) return challenge;
    if (entry.data.authentication === 'refused') return unauthenticated();
  }
  try {
    return done(ledger.transaction(noRequest, () => pay(card.read, entry.data)));
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    if (error.body.type === 'card_error') {
      ledger.transaction(noRequest, () => afterDecline?.(card.read, error.body));
    }
    return { status: error.status, answer: { kind: 'refused', message: error.message } };
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
