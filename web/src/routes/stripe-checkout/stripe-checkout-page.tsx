import { ButtonLink } from '../../components/button.tsx';
import { Checkout } from '../../components/checkout/checkout.tsx';

/** The checkout at an address that older links and bookmarks know. */
export default function StripeCheckoutPage() {
  return (
    <Checkout
      cancel={
        <ButtonLink to="/pricing" tone="secondary">
          Cancel
        </ButtonLink>
      }
    />
  );
}
