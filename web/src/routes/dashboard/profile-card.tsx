import { Link } from 'react-router-dom';
import { plans } from '../../../../schemas/product.ts';
import { longDate } from '../../plan/long-date.ts';
import { type PlanState, planStatusOf } from '../../plan/plan-status.ts';
import { Card } from './card.tsx';
import styles from './dashboard.module.css';

export function ProfileCard({ name, email, state }: { name: string; email: string; state: PlanState }) {
  const status = planStatusOf(state);
  const loading = status.kind === 'loading' || status.kind === 'visitor';
  const paying = status.kind === 'plus' || status.kind === 'ending';
  const known = state.kind === 'known' ? state.plan : null;
  return (
    <Card title="Profile">
      <div className={styles.Person}>
        <span className={styles.Initial} aria-hidden="true">
          {firstLetter(name).toUpperCase()}
        </span>
        <div>
          <p className={styles.Name}>{name}</p>
          <p className={styles.Email}>{email}</p>
          <Link to="#change-address">Change address</Link>
        </div>
        {!loading && status.kind !== 'unknown' && (
          <span className={styles.Badge}>{paying ? plans.plus.name : plans.free.name}</span>
        )}
      </div>
      <dl className={styles.Dates}>
        <div>
          <dt>Account created</dt>
          <dd>{dateOr(known?.createdAt, loading)}</dd>
        </div>
        <div>
          <dt>Last sign-in</dt>
          <dd>{dateOr(known?.lastSignInAt, loading)}</dd>
        </div>
      </dl>
    </Card>
  );
}

const dateOr = (date: string | null | undefined, loading: boolean) =>
  date ? <time dateTime={date}>{longDate(date)}</time> : loading ? '…' : 'N/A';

/** The first grapheme: an accented letter or an emoji of several code points stays whole. */
const firstLetter = (name: string) => Array.from(new Intl.Segmenter().segment(name))[0]?.segment ?? '';
