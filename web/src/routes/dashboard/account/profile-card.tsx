import { plans } from '../../../../../schemas/product/offers.ts';
import { ButtonLink } from '../../../components/button.tsx';
import { EmailAddress } from '../../../components/email-address.tsx';
import { Facts } from '../../../components/facts.tsx';
import { SignOutButton } from '../../../components/sign-out-button.tsx';
import { longDate } from '../../../plan/long-date.ts';
import type { PlanState } from '../../../plan/plan-status.ts';
import type { User } from '../../../session/session.ts';
import { Card } from '../../../components/card.tsx';
import { NewAccount } from './new-account.tsx';
import styles from '../dashboard.module.css';

interface ProfileCardProps {
  user: User;
  name: string;
  state: PlanState;
}

export function ProfileCard({ user: { email }, name, state }: ProfileCardProps) {
  const loading = state.kind === 'loading' || state.kind === 'visitor';
  const known = state.kind === 'known' ? state.value : null;
  return (
    <Card title="Profile" badge={known && plans[known.plan].name}>
      <div className={styles.Person}>
        <span className={styles.Initial} aria-hidden="true">
          {firstLetter(name).toUpperCase()}
        </span>
        <div>
          <p className={styles.Name} title={name}>
            {name}
          </p>
          <p className={styles.Email}>
            <EmailAddress of={email} />
          </p>
        </div>
      </div>
      <Facts
        of={{
          'Account created': dateOr(known?.createdAt, loading),
          'Last sign-in': dateOr(known?.lastSignInAt, loading),
        }}
      />
      {known && <NewAccount plan={known} />}
      <div className={styles.Action}>
        <ButtonLink to="/settings" tone="secondary">
          Settings
        </ButtonLink>
        <SignOutButton tone="secondary" />
      </div>
    </Card>
  );
}

/** The date in the reader's time zone, since it is the day of the user's own action. */
const dateOr = (date: string | null | undefined, loading: boolean) =>
  date ? <time dateTime={date}>{longDate(date)}</time> : loading ? '…' : 'N/A';

/** The first grapheme, so that an accented letter or an emoji of several code points stays whole. */
const firstLetter = (name: string) => Array.from(new Intl.Segmenter().segment(name))[0]?.segment ?? '';
