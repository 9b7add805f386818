import { beforeExecution, invalid, type StripeRefusal } from './errors.ts';
import type { Ledger } from './ledger.ts';
import { lineItems } from './line-items.ts';
import { completeList } from './list.ts';

// Maximum depth in Stripe's documentation of `expand`.
const DEEPEST = 4;

/**
 * Copies `answer` and replaces the ids at `paths` with their objects. `data.customer` reaches into lists.
 * Objects and null stay as they are.
 */
export function expand(ledger: Ledger, answer: object, paths: readonly string[]): object {
  if (paths.length === 0) return answer;
  const copy: object = structuredClone(answer);
  for (const [index, path] of paths.entries()) {
    const steps = path.split('.');
    if (steps.filter((step) => step !== 'data').length > DEEPEST) {
      throw refusal(`You cannot expand more than ${DEEPEST} levels of a property. Property: ${path}`, index);
    }
    expandPath(ledger, copy, steps, () => refusal(`This property cannot be expanded (${path}).`, index));
  }
  return copy;
}

const refusal = (message: string, index: number): StripeRefusal =>
  beforeExecution(invalid(message, `expand[${index}]`));

function expandPath(ledger: Ledger, within: unknown, steps: string[], impossible: () => Error): void {
  const [step, ...rest] = steps;
  if (step === undefined || within === null) return;
  if (Array.isArray(within)) {
    for (const element of within) expandPath(ledger, element, steps, impossible);
    return;
  }
  if (typeof within !== 'object') throw impossible();
  const holder = within as Record<string, unknown>;
  const current = Object.hasOwn(holder, step) ? holder[step] : includable(ledger, holder, step);
  if (current === undefined) throw impossible();
  // A copy, since its own properties may be expanded next.
  const value = typeof current === 'string' ? structuredClone(find(ledger, current)) : current;
  if (value === undefined || (typeof value !== 'object' && value !== null)) throw impossible();
  holder[step] = value;
  expandPath(ledger, value, rest, impossible);
}

/** Lists that Stripe only includes on request. */
function includable(ledger: Ledger, holder: Record<string, unknown>, name: string): unknown {
  const { id = '', object = '' } = holder as { id?: string; object?: string };
  switch (`${object}.${name}`) {
    case 'checkout.session.line_items':
      return lineItems(ledger, id);
    case 'customer.subscriptions':
      return completeList(
        ledger.subscriptions.list({ customer: id }).filter(({ status }) => status !== 'canceled'),
        `/v1/customers/${id}/subscriptions`,
      );
    case 'invoice.payments':
      return completeList(
        [ledger.invoicePayments.get(id)].filter((payment) => payment !== undefined),
        '/v1/invoice_payments',
      );
    case 'charge.refunds':
      return completeList(
        ledger.refunds.list().filter((refund) => refund.charge === id),
        `/v1/charges/${id}/refunds`,
      );
    default:
      return undefined;
  }
}

function find(ledger: Ledger, id: string): object | undefined {
  switch (id.slice(0, id.indexOf('_'))) {
    case 'cus':
      return ledger.customers.get(id);
    case 'prod':
      return ledger.products.get(id);
    case 'price':
      return ledger.prices.get(id);
    case 'cs':
      return ledger.sessions.get(id);
    case 'sub':
      return ledger.subscriptions.get(id);
    case 'in':
      return ledger.invoices.get(id);
    case 'pi':
      return ledger.paymentIntents.get(id);
    case 'ch':
      return ledger.charges.get(id);
    case 're':
      return ledger.refunds.get(id);
    case 'pm':
      return ledger.paymentMethods.get(id);
    default:
      return undefined;
  }
}
