import { ButtonLink } from '../../components/button.tsx';
import { Checkout } from '../../components/checkout/checkout.tsx';

export default function CheckoutPage() {
  return (
    <Checkout
      cancel={
        <ButtonLink to="/pricing" tone="quiet">
          Cancel &amp; Return to Pricing
        </ButtonLink>
      }
    />
  );
}
