import { createCoupon } from '../coupons.ts';
import { existingCustomer } from '../customers.ts';
import { parameterMissing } from '../errors.ts';
import { between, flag, integer, metadata, oneOf, required, text } from '../fields.ts';
import { createInvoiceItem } from '../invoice-items.ts';
import { route, type Route } from '../route.ts';

/** Coupons, and items of the next invoice, which support gives or adds. */
export const discountRoutes: Route[] = [
  route(
    'POST',
    '/v1/coupons',
    {
      amount_off: between(1, 99_999_999),
      currency: text,
      duration: oneOf('forever', 'once', 'repeating'),
      duration_in_months: between(1, 999),
      id: text,
      metadata,
      name: text,
      percent_off: between(1, 100),
    },
    ({ ledger, input }) => {
      if (input.percent_off === undefined && input.amount_off === undefined) {
        throw parameterMissing('percent_off');
      }
      if (input.duration === 'repeating' && input.duration_in_months === undefined) {
        throw parameterMissing('duration_in_months');
      }
      return createCoupon(ledger, input);
    },
  ),

  route(
    'POST',
    '/v1/invoiceitems',
    {
      amount: required(integer),
      currency: required(text),
      customer: required(text),
      description: text,
      discountable: flag,
      subscription: text,
    },
    ({ ledger, input }) =>
      createInvoiceItem(ledger, {
        amount: input.amount,
        currency: input.currency,
        customer: existingCustomer(ledger, input.customer).id,
        description: input.description ?? null,
        discountable: input.discountable ?? input.amount > 0,
        subscription: input.subscription ?? null,
      }),
  ),
];
