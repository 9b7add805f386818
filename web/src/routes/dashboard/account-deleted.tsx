import { useId } from 'react';
import { plans, product } from '../../../../schemas/product.ts';
import { buttonProps } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Mark } from '../../components/mark.tsx';
import styles from './dashboard.module.css';

/** What there is to tell about an account that is gone. */
export interface Farewell {
  /** Where whoever has read it goes on to. */
  leaveTo: string;
  email: string;
  hadPlus: boolean;
  /** Whether the mail about it went out; null where that was not to be learned. */
  mailSent: boolean | null;
}

/** The last page of an account. It stands over everything else: there is nobody any more whom the rest could be for. */
export function AccountDeleted({ leaveTo, email, hadPlus, mailSent }: Farewell) {
  const title = useId();
  // By a fresh load, so that nothing of the person stays in this tab's memory.
  const leave = () => location.assign(leaveTo);
  return (
    <Dialog open onClose={leave} labelledBy={title} className={styles.Farewell}>
      <div className={styles.FarewellText}>
        <Mark />
        <h1 id={title}>Your account is deleted</h1>
        <p>{email} is no longer known here, and this browser has forgotten it too.</p>
        {hadPlus && <p>Your {plans.plus.name} plan has ended. You will not be charged again.</p>}
        {mailSent !== null && (
          <p>
            {mailSent
              ? 'We have sent a last mail there that says so.'
              : `The mail that says so could not be sent. If you need it in writing, write to ${product.supportEmail}.`}
          </p>
        )}
        <p>Receipts of what you have paid stay at Stripe, as the law demands.</p>
        <div>
          <a href={leaveTo} {...buttonProps()}>
            Go to Home Page
          </a>
        </div>
      </div>
    </Dialog>
  );
}
