import type { ComponentProps } from 'react';
import { buttonProps } from '../../components/button.tsx';
import { SomethingWentWrong } from '../../components/error-boundary.tsx';
import { PaymentResult, type Way } from '../../components/payment/payment-result.tsx';
import { useSession } from '../../session/session.ts';

// Specification, section 4: once, if no user was present.
const RETRY_AFTER = 2_000;

/**
 * The result of a payment at an address that older links know. It leads on by whole page loads, and deals itself with
 * whoever isn't signed in: the other return page sends them to sign in.
 */
export default function ReturnPage() {
  const session = useSession();
  if (session.kind === 'unreachable') return <SomethingWentWrong />;
  return <PaymentResult way={PageLoad} retryAfter={RETRY_AFTER} />;
}

function PageLoad({ to, tone = 'primary', children }: ComponentProps<Way>) {
  return (
    <a {...buttonProps({ tone })} href={to}>
      {children}
    </a>
  );
}
