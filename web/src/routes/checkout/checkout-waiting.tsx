import { mainOffer } from '../../../../schemas/product/offers.ts';
import { CheckoutLayout } from '../../components/checkout/checkout-layout.tsx';
import { SessionUserEmail } from '../../components/session-user.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Spinner } from '../../components/spinner.tsx';

export default function CheckoutWaiting() {
  return (
    <CheckoutLayout
      asking
      offer={mainOffer}
      email={
        <>
          <span data-for="visitor">
            <Skeleton width="16rem" />
          </span>
          <span data-for="holder">
            <SessionUserEmail />
          </span>
        </>
      }
      cancel={<Skeleton width="16rem" height="2.875rem" />}
    >
      <Spinner>Loading checkout...</Spinner>
    </CheckoutLayout>
  );
}
