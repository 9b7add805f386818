import type { StripeEventSubject } from '../../../../functions/domain/stripe-event-subject.ts';

const asksNothing = { renewalUpcoming: false, chargeChanges: false, paid: false, stuck: [] };

/** An event about Ada's customer. By default, it asks for nothing but a decision. */
export const eventSubject = (fields: Partial<StripeEventSubject> = {}): StripeEventSubject => ({
  type: 'customer.subscription.updated',
  customerId: 'cus_ada',
  userId: undefined,
  ...asksNothing,
  created: 1,
  ...fields,
});
