import { useId } from 'react';
import { product } from '../../../../../schemas/product/product.ts';
import { retention } from '../../../../../schemas/product/retention.ts';
import { buttonProps } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Mark } from '../../../components/mark.tsx';
import { planDay } from '../../../plan/plan-day.ts';
import styles from '../dashboard.module.css';

export interface DeletedAccount {
  /** Address of the next page. */
  leaveTo: string;
  email: string;
  /** The name of the paid plan that has ended; null if there was none. */
  endedPlan: string | null;
  /** Whether the confirming mail was sent; null if that is unknown. */
  mailSent: boolean | null;
  /** Time of the deletion, if it waits. */
  deletesAt: string | null;
}

/** The last page of an account, shown over the whole site: its user no longer exists, or can't sign in. */
export function AccountDeleted({ leaveTo, deletesAt, ...account }: DeletedAccount) {
  const title = useId();
  // A page load, so that no user data stay in this tab's memory.
  const leave = () => location.assign(leaveTo);
  return (
    <Dialog open onClose={leave} labelledBy={title} className={styles.Deleted}>
      <div className={styles.DeletedText}>
        <Mark />
        <h1 id={title}>{deletesAt ? 'Your account is closed' : 'Your account is deleted'}</h1>
        {deletesAt ? <Waiting {...account} deletesAt={deletesAt} /> : <Gone {...account} />}
        <div>
          <a href={leaveTo} {...buttonProps()}>
            Go to Home Page
          </a>
        </div>
      </div>
    </Dialog>
  );
}

function Gone({ email, endedPlan, mailSent }: Omit<DeletedAccount, 'leaveTo' | 'deletesAt'>) {
  return (
    <>
      <p>{email} is no longer known here, and this browser has forgotten it too.</p>
      {endedPlan !== null && <p>Your {endedPlan} plan has ended. You will not be charged again.</p>}
      {mailSent === null ? (
        <p>
          If its address was changed in the last {retention.daysToUndo} days, the account is closed for now,
          and our email names the day of the deletion.
        </p>
      ) : (
        <p>
          {mailSent
            ? 'We sent one last email there to confirm it.'
            : `We couldn't send the email that confirms it. If you need it in writing, write to ${product.supportEmail}.`}
        </p>
      )}
      <p>Stripe keeps the receipts for what you've paid, as the law requires.</p>
    </>
  );
}

function Waiting({
  email,
  endedPlan,
  mailSent,
  deletesAt,
}: Omit<DeletedAccount, 'leaveTo'> & { deletesAt: string }) {
  return (
    <>
      <p>
        The account's address was changed to {email} less than {retention.daysToUndo} days ago, and the
        earlier address may still undo that. So the account is deleted on {planDay(deletesAt)}. Until then
        nobody can sign in, and nothing is lost.
      </p>
      {endedPlan !== null && <p>Your {endedPlan} plan is set to end. You will not be charged again.</p>}
      <p>
        {mailSent
          ? 'We wrote to both addresses. The button in that email keeps the account.'
          : `We couldn't write to both addresses yet, and will try again. To keep the account, write to ${product.supportEmail}.`}
      </p>
    </>
  );
}
