import { MessageWaiting } from '../message-waiting.tsx';

export const PaymentWaiting = () => (
  <MessageWaiting lead="Checking your payment with Stripe">Loading</MessageWaiting>
);
