import { Checkout } from '../../components/checkout/checkout.tsx';

/** The checkout at the address of older links and bookmarks. */
export default function StripeCheckoutPage() {
  return <Checkout cancel="Cancel" tone="secondary" />;
}
