import type { ComponentProps } from 'react';
import { buttonProps } from '../../components/button.tsx';
import { SomethingWentWrong } from '../../components/error-boundary.tsx';
import type { LinkComponent } from '../../components/next-steps.tsx';
import { PaymentResult } from '../../components/payment/payment-result.tsx';
import { useSession } from '../../session/session.ts';

// Milliseconds. The request is retried once if no user was present.
const RETRY_AFTER = 2_000;

/** The result of a payment at the address of older links. Handles signed-out users itself. */
export default function ReturnPage() {
  const session = useSession();
  if (session.kind === 'unreachable') return <SomethingWentWrong />;
  return <PaymentResult link={PageLoad} retryAfter={RETRY_AFTER} />;
}

function PageLoad({ to, tone = 'primary', children }: ComponentProps<LinkComponent>) {
  return (
    <a {...buttonProps({ tone })} href={to}>
      {children}
    </a>
  );
}
