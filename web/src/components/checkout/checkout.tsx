import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { mainOffer, type Offer, offerNamed } from '../../../../schemas/product/offers.ts';
import { refusals } from '../../../../schemas/refusal.ts';
import { useLoad } from '../../api/use-load.ts';
import { usePageRestored } from '../page/page-restored.ts';
import { usePlan } from '../../plan/use-plan-and-billing.ts';
import { processing } from '../../../../schemas/shapes/standing-in-words.ts';
import { type User, useSession } from '../../session/session.ts';
import { MailBounces } from '../account/mail-bounces.tsx';
import { Button, ButtonLink } from '../button.tsx';
import { EmailAddress } from '../email-address.tsx';
import { Message } from '../message.tsx';
import { NextSteps } from '../next-steps.tsx';
import { Notice } from '../notice.tsx';
import { Spinner } from '../spinner.tsx';
import { CardForm } from './card-form.tsx';
import { CheckoutLayout } from './checkout-layout.tsx';
import { NothingToBuy } from './nothing-to-buy.tsx';
import { startCheckout } from './start-checkout.ts';

interface CheckoutProps {
  /** The words of the link that leaves the checkout. */
  cancel: string;
  tone: 'quiet' | 'secondary';
}

/** The checkout of the plan in the query. */
export function Checkout({ cancel, tone }: CheckoutProps) {
  const [query] = useSearchParams();
  const session = useSession();
  // Stripe redirects away after the payment. A restored page would show a used form.
  usePageRestored(() => location.reload());
  const offer = offerNamed(query.get('plan') || mainOffer.plan, query.get('interval') ?? undefined);
  if (session.kind !== 'signed-in') return null;
  const link = (
    <ButtonLink to="/pricing" tone={tone}>
      {cancel}
    </ButtonLink>
  );
  if (offer) return <Purchase offer={offer} user={session.user} cancel={link} />;
  return (
    <Message
      title="Complete Your Purchase"
      sign="!"
      actions={<ButtonLink to="/pricing">Return to Pricing</ButtonLink>}
    >
      <Notice tone="danger">{refusals['unknown-plan'].sentence}</Notice>
    </Message>
  );
}

interface PurchaseProps {
  offer: Offer;
  user: User;
  cancel: ReactNode;
}

function Purchase({ offer, user, cancel }: PurchaseProps) {
  const { state } = useLoad(`${offer.key} ${user.id}`, () => startCheckout(offer, user));
  const { state: plan } = usePlan();
  const checkout = state.kind === 'loaded' ? state.value : state;
  if (checkout.kind === 'failed') return <Failed reason={checkout.reason} />;
  if (checkout.kind === 'nothing-to-buy') return <NothingToBuy />;
  // The bank is still processing the payment.
  if (checkout.kind === 'processing') {
    const lead = processing.nextOf(offer);
    return <Message takesFocus title={processing.what} sign="…" lead={lead} actions={<NextSteps />} />;
  }
  return (
    <CheckoutLayout
      offer={offer}
      email={<EmailAddress of={user.email} />}
      cancel={cancel}
      asking={checkout.kind !== 'paying'}
      notice={<MailBounces plan={plan} email={user.email} />}
    >
      {checkout.kind === 'paying' ? (
        <CardForm stripe={checkout.stripe} clientSecret={checkout.clientSecret} />
      ) : (
        <Spinner>Loading checkout...</Spinner>
      )}
    </CheckoutLayout>
  );
}

function Failed({ reason }: { reason: string }) {
  return (
    <Message
      title="Something went wrong"
      sign="!"
      actions={
        <>
          <Button onClick={() => location.reload()}>Try Again</Button>
          <ButtonLink to="/pricing" tone="secondary">
            Return to Pricing
          </ButtonLink>
        </>
      }
    >
      <Notice tone="danger">Failed to create checkout session</Notice>
      <p>{reason} Nothing has been charged.</p>
    </Message>
  );
}
