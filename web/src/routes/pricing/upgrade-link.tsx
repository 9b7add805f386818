import type { ReactNode } from 'react';
import type { Offer } from '../../../../schemas/product/offers.ts';
import { ButtonLink } from '../../components/button.tsx';
import { checkoutOf } from '../../../../schemas/product/known-plan.ts';
import { useSession } from '../../session/session.ts';

interface UpgradeLinkProps {
  offer: Offer;
  wide?: boolean;
  children: ReactNode;
}

/** Asks for the Checkout Session, and opens the checkout, which waits for the same answer. */
export function UpgradeLink({ offer, wide = false, children }: UpgradeLinkProps) {
  const session = useSession();
  const start = async () => {
    if (session.kind !== 'signed-in') return;
    const { startCheckout } = await import('../../components/checkout/start-checkout.ts');
    await startCheckout(offer, session.user);
  };
  return (
    // The checkout reports a failure.
    <ButtonLink to={checkoutOf(offer)} wide={wide} onClick={() => void start().catch(() => undefined)}>
      {children}
    </ButtonLink>
  );
}
