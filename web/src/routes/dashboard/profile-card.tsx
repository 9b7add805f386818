import { plans } from '../../../../schemas/product.ts';
import { longDate } from '../../plan/long-date.ts';
import { type PlanState, standingOf } from '../../plan/standing.ts';
import { Card } from './card.tsx';
import styles from './dashboard.module.css';

export function ProfileCard({ name, email, state }: { name: string; email: string; state: PlanState }) {
  const standing = standingOf(state);
  const loading = standing.kind === 'loading' || standing.kind === 'visitor';
  const paying = standing.kind === 'plus' || standing.kind === 'ending';
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
        </div>
        {!loading && <span className={styles.Badge}>{paying ? plans.plus.name : plans.free.name}</span>}
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
