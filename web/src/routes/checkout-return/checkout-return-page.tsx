import { ButtonLink } from '../../components/button.tsx';
import { PaymentResult } from '../../components/payment/payment-result.tsx';

export default function CheckoutReturnPage() {
  return <PaymentResult link={ButtonLink} />;
}
