import { MessageWaiting } from '../message-waiting.tsx';

/** The result of a payment while Stripe is asked for it. */
export const PaymentWaiting = () => (
  <MessageWaiting lead="Checking your payment with Stripe">Loading</MessageWaiting>
);
