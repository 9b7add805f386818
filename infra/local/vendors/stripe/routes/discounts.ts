import { couponFields, createCoupon } from '../coupons.ts';
import { parameterMissing } from '../errors.ts';
import { createInvoiceItem, invoiceItemFields } from '../invoice-items.ts';
import { route, type Route } from '../route.ts';

/** Coupons, and items of the next invoice, which support gives or adds. */
export const discountRoutes: Route[] = [
  route('POST', '/v1/coupons', couponFields, ({ ledger, input }) => {
    if (input.percent_off === undefined && input.amount_off === undefined) {
      throw parameterMissing('percent_off');
    }
    if (input.duration === 'repeating' && input.duration_in_months === undefined) {
      throw parameterMissing('duration_in_months');
    }
    return createCoupon(ledger, input);
  }),

  route('POST', '/v1/invoiceitems', invoiceItemFields, ({ ledger, input }) =>
    createInvoiceItem(ledger, input),
  ),
];
