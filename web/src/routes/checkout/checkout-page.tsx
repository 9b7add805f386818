import { Checkout } from '../../components/checkout/checkout.tsx';

export default function CheckoutPage() {
  return <Checkout cancel="Cancel & Return to Pricing" tone="quiet" />;
}
