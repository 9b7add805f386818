import type Stripe from 'stripe';
import type { Collection } from '../../base/store.ts';
import { beforeExecution, invalid, type StripeRefusal } from './errors.ts';
import type { Ledger } from './ledger.ts';
import { lineItems } from './line-items.ts';
import { completeList } from './list.ts';

// Maximum depth in Stripe's documentation of `expand`.
const DEEPEST = 4;

/** The fields that are an id or the object itself in Stripe's types. */
type Reference<T> = {
  [K in keyof T & string]: Extract<T[K], string> extends never
    ? never
    : Extract<T[K], { object: string }> extends never
      ? never
      : K;
}[keyof T & string];

const references = <T>(...names: Reference<T>[]): ReadonlySet<string> => new Set(names);

/** The expandable ids that somebody expands, by the object that has them or by the object's field. */
const expandable: Readonly<Record<string, ReadonlySet<string>>> = {
  charge: references<Stripe.Charge>('customer', 'payment_intent'),
  'checkout.session': references<Stripe.Checkout.Session>(
    'customer',
    'invoice',
    'payment_intent',
    'setup_intent',
    'subscription',
  ),
  'customer.invoice_settings': references<Stripe.Customer.InvoiceSettings>('default_payment_method'),
  invoice: references<Stripe.Invoice>('customer', 'default_payment_method'),
  'invoice.parent.subscription_details':
    references<Stripe.Invoice.Parent.SubscriptionDetails>('subscription'),
  'invoice_payment.payment': references<Stripe.InvoicePayment.Payment>('charge', 'payment_intent'),
  payment_intent: references<Stripe.PaymentIntent>('customer', 'latest_charge', 'payment_method'),
  price: references<Stripe.Price>('product'),
  subscription: references<Stripe.Subscription>(
    'customer',
    'default_payment_method',
    'latest_invoice',
    'pending_setup_intent',
  ),
};

/**
 * Copies `answer` along `paths` and replaces the ids there with their objects. `data.customer` reaches into
 * lists. Objects and null stay as they are. Stripe refuses any other field.
 */
export function expand(ledger: Ledger, answer: object, paths: readonly string[]): object {
  let expanded = answer;
  for (const [index, path] of paths.entries()) {
    const steps = path.split('.');
    if (steps.filter((step) => step !== 'data').length > DEEPEST) {
      throw beforeExecution(
        invalid(
          `You cannot expand more than ${DEEPEST} levels of a property. Property: ${path}`,
          `expand[${index}]`,
        ),
      );
    }
    expanded = expandPath(ledger, expanded, '', steps, () => notExpandable(answer, path));
  }
  return expanded;
}

/** Stripe's refusal, which names no parameter. For a list, it also says where the elements' fields are. */
function notExpandable(answer: object, path: string): StripeRefusal {
  const isList = (answer as { object?: unknown }).object === 'list';
  const advice =
    isList && !/^data\b/.test(path) ? ` You may want to try expanding 'data.${path}' instead.` : '';
  return beforeExecution(invalid(`This property cannot be expanded (${path}).${advice}`));
}

/** `at`: the place of `within`, as in `expandable`. An object's own name replaces it. */
function expandPath<T>(
  ledger: Ledger,
  within: T,
  at: string,
  steps: readonly string[],
  impossible: () => Error,
): T {
  const [step, ...rest] = steps;
  if (step === undefined || within === null) return within;
  if (Array.isArray(within)) {
    return within.map((element: unknown) => expandPath(ledger, element, at, steps, impossible)) as T;
  }
  if (typeof within !== 'object') throw impossible();
  const holder = within as Record<string, unknown>;
  const place = typeof holder['object'] === 'string' ? holder['object'] : at;
  const current = Object.hasOwn(holder, step) ? holder[step] : includable(ledger, holder, step);
  if (current === undefined) throw impossible();
  const isReference = expandable[place]?.has(step) ?? false;
  const value = isReference && typeof current === 'string' ? find(ledger, current) : current;
  const isEnd = rest.length === 0;
  const isFound = isEnd ? isReference || isObject(value) : typeof value === 'object';
  if (value === undefined || !isFound) throw impossible();
  return { ...within, [step]: expandPath(ledger, value, `${place}.${step}`, rest, impossible) };
}

/** Whether a value is one of Stripe's objects or a list of them, and not part of an object. */
const isObject = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every(isObject)
    : typeof value === 'object' && value !== null && 'object' in value;

/** Lists that Stripe only includes on request. */
function includable(ledger: Ledger, holder: Record<string, unknown>, name: string): unknown {
  const { id = '', object = '' } = holder as { id?: string; object?: string };
  switch (`${object}.${name}`) {
    case 'checkout.session.line_items':
      return lineItems(ledger, id);
    case 'invoice.payments':
      return completeList(
        [ledger.invoicePayments.get(id)].filter((payment) => payment !== undefined),
        '/v1/invoice_payments',
      );
    default:
      return undefined;
  }
}

function find(ledger: Ledger, id: string): object | undefined {
  const collections: Record<string, Collection<object>> = {
    cus: ledger.customers,
    prod: ledger.products,
    price: ledger.prices,
    cs: ledger.sessions,
    sub: ledger.subscriptions,
    in: ledger.invoices,
    pi: ledger.paymentIntents,
    ch: ledger.charges,
    pm: ledger.paymentMethods,
  };
  // The caller may choose the id of a product.
  return collections[id.slice(0, id.indexOf('_'))]?.get(id) ?? ledger.products.get(id);
}
