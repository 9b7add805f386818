import { CheckoutLayout } from '../../components/checkout/checkout-layout.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Spinner } from '../../components/spinner.tsx';

export default function CheckoutWaiting() {
  return (
    <CheckoutLayout email={<Skeleton width="16rem" />} cancel={<Skeleton width="16rem" height="2.875rem" />}>
      <Spinner>Loading checkout...</Spinner>
    </CheckoutLayout>
  );
}
