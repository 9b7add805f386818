import { Link } from 'react-router-dom';
import type { PlanState } from '../../plan/plan-status.ts';
import { EmailAddress } from '../email-address.tsx';
import { Notice } from '../notice.tsx';

/** Says that our mail doesn't arrive, and what to do. Shows nothing while it arrives. */
export function MailBounces({ plan, email }: { plan: PlanState; email: string }) {
  if (plan.kind !== 'known' || !plan.value.mailBounces) return null;
  return (
    <Notice tone="danger">
      Our emails to <EmailAddress of={email} /> come back, so you would miss receipts, price changes and links
      for a new password. <Link to="/settings#change-address">Use another address</Link>
    </Notice>
  );
}
