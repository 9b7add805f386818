import type { ReactNode } from 'react';
import type { PortalPage } from '../../../../../schemas/shapes/billing.ts';
import { refused } from '../../../account/outcome.ts';
import { call } from '../../../api/call.ts';
import { ActionButton } from '../../../components/account/action-button.tsx';
import type { ButtonVariant } from '../../../components/button.tsx';
import { useIsMounted } from '../../../components/page/use-is-mounted.ts';

interface BillingPortalButtonProps extends ButtonVariant {
  page: PortalPage;
  children: ReactNode;
}

/** Opens a page of Stripe's customer portal, or says why that failed. */
export function BillingPortalButton({ page, ...props }: BillingPortalButtonProps) {
  const isMounted = useIsMounted();
  const open = async () => {
    const answer = await call('billing-portal', { body: { page } });
    if (!answer.ok) return refused(answer.sentence);
    if (isMounted()) location.assign(answer.value.url);
    return { kind: 'leaving' } as const;
  };
  return <ActionButton {...props} work={open} busy="Opening Stripe..." />;
}
