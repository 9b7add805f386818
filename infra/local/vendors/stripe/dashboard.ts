import { redeem } from './coupons.ts';
import { existingCustomer, updateCustomer } from './customers.ts';
import { noRequest, type Ledger } from './ledger.ts';

/** The changes of a customer that Stripe's API doesn't offer. */
export interface CustomerChange {
  /** The coupon on the customer, for all subscriptions that have none. Null removes it. */
  coupon?: string | null | undefined;
  /** Whether Stripe can finalize the customer's invoices. */
  finalizes?: boolean | undefined;
}

/** Does what a person does in Stripe's dashboard. Throws Stripe's refusal. */
export function changeCustomer(ledger: Ledger, id: string, { coupon, finalizes }: CustomerChange): void {
  ledger.transaction(noRequest, () => {
    existingCustomer(ledger, id);
    if (coupon !== undefined) {
      const discount = coupon === null ? null : redeem(ledger, coupon, { customer: id }, 'coupon');
      updateCustomer(ledger, id, { discount });
    }
    if (finalizes === true) ledger.notFinalized.delete(id);
    if (finalizes === false) {
      ledger.notFinalized.put(id, {
        code: 'customer_tax_location_invalid',
        message: "The customer's location isn't recognized.",
        type: 'invalid_request_error',
      });
    }
  });
}
