import { useId } from 'react';
import { product } from '../../../../../schemas/product/product.ts';
import { buttonProps } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { Message } from '../../../components/message.tsx';
import styles from '../settings.module.css';

export interface DeletedAccount {
  leaveTo: string;
  email: string;
  /** The name of the paid plan that has ended; null if there was none. */
  endedPlan: string | null;
  /** Whether the confirming mail was sent; null if that is unknown. */
  mailSent: boolean | null;
}

/** The last page of an account, shown over the whole site: its user no longer exists. */
export function AccountDeleted({ leaveTo, email, endedPlan, mailSent }: DeletedAccount) {
  const title = useId();
  // A page load, so that no user data stay in this tab's memory.
  const leave = () => location.assign(leaveTo);
  return (
    <Dialog open onClose={leave} labelledBy={title} className={styles.Deleted}>
      <Message
        title={<span id={title}>Your account is deleted</span>}
        lead={`The account of ${email} has been deleted, and this browser is signed out.`}
        actions={
          <a href={leaveTo} {...buttonProps()}>
            Go to Home Page
          </a>
        }
      >
        {endedPlan !== null && <p>Your {endedPlan} plan has ended. You won't be charged again.</p>}
        {mailSent !== null && (
          <p>
            {mailSent
              ? 'We sent one last email there to confirm it.'
              : `We couldn't send the email that confirms it. If you need it in writing, write to ${product.supportEmail}.`}
          </p>
        )}
        <p>Stripe keeps the receipts for what you've paid, as the law requires.</p>
      </Message>
    </Dialog>
  );
}
