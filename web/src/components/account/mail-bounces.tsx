import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { PlanState } from '../../plan/plan-status.ts';
import { EmailAddress } from '../email-address.tsx';
import { Notice } from '../notice.tsx';
import { ActionButton } from './action-button.tsx';

/** Says that our mail doesn't arrive, and what to do. Shows nothing while it arrives. */
export function MailBounces({ plan, email }: { plan: PlanState; email: string }) {
  const [isMailed, setMailed] = useState(false);
  if (plan.kind !== 'known' || !plan.value.mailBounces) return null;
  const tryAgain = async () => {
    const { proveAddress } = await import('../../account/email-address.ts');
    const outcome = await proveAddress(email);
    setMailed(outcome.kind === 'done');
    return outcome;
  };
  return (
    <>
      <Notice tone="danger">
        Our emails to <EmailAddress of={email} /> come back, so you would miss receipts, price changes and
        links for a new password. <Link to="/settings#change-address">Use another address</Link>, or let us
        try this one again.
      </Notice>
      {isMailed ? (
        <Notice tone="success">We've sent you a link. Press its button to confirm the address.</Notice>
      ) : (
        <div data-actions>
          <ActionButton tone="secondary" work={tryAgain} busy="Sending...">
            Try This Address Again
          </ActionButton>
        </div>
      )}
    </>
  );
}
