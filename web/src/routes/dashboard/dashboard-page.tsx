import { plans } from '../../../../schemas/product.ts';
import { ButtonLink } from '../../components/button.tsx';
import { FeatureList } from '../../components/feature-list.tsx';
import { SignOutButton } from '../../components/sign-out-button.tsx';
import { UnreadPlan } from '../../components/unread-plan.tsx';
import { longDate } from '../../plan/long-date.ts';
import { standingOf } from '../../plan/standing.ts';
import { usePlan } from '../../plan/use-plan.ts';
import { type User, useSession } from '../../session/session.ts';
import styles from './dashboard.module.css';

export default function DashboardPage() {
  const session = useSession();
  return session.kind === 'signed-in' ? <Dashboard user={session.user} /> : null;
}

function Dashboard({ user }: { user: User }) {
  const { state, reload } = usePlan();
  const standing = standingOf(state);
  const loading = standing.kind === 'loading' || standing.kind === 'visitor';
  const plan = standing.kind === 'plus' || standing.kind === 'ending' ? plans.plus : plans.free;
  const known = state.kind === 'known' ? state.plan : null;
  const name = user.name ?? 'User';

  return (
    <div className={styles.Dashboard}>
      <header className={styles.Head}>
        <h1>Welcome, {name}</h1>
        <SignOutButton tone="secondary" />
      </header>
      {state.kind === 'assumed' && <UnreadPlan sentence={state.sentence} onRetry={reload} />}
      <div className={styles.Cards}>
        <section className={styles.Card} aria-labelledby="profile">
          <h2 id="profile">Profile</h2>
          <div className={styles.Person}>
            <span className={styles.Initial} aria-hidden="true">
              {firstLetter(name).toUpperCase()}
            </span>
            <div>
              <p className={styles.Name}>{name}</p>
              <p className={styles.Email}>{user.email}</p>
            </div>
            {!loading && <span className={styles.Badge}>{plan.name}</span>}
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
        </section>
        <section className={styles.Card} aria-labelledby="plan">
          <h2 id="plan">Your plan</h2>
          {loading ? (
            <output>Loading your plan...</output>
          ) : (
            <>
              <p className={styles.Plan}>
                {plan.name}{' '}
                <span>
                  {plan.price} {plan.period}
                </span>
              </p>
              {standing.kind === 'ending' && (
                <p>
                  Expires on <time dateTime={standing.on}>{longDate(standing.on)}</time>, then Free.
                </p>
              )}
              <FeatureList features={plan.features} />
              <div className={styles.Action}>
                {plan === plans.plus ? (
                  <ButtonLink to="/pricing" tone="secondary" wide>
                    Manage Subscription
                  </ButtonLink>
                ) : (
                  <ButtonLink to="/pricing" wide>
                    Upgrade to Plus
                  </ButtonLink>
                )}
              </div>
            </>
          )}
        </section>
      </div>
    </div>
  );
}

const dateOr = (date: string | null | undefined, loading: boolean) =>
  date ? <time dateTime={date}>{longDate(date)}</time> : loading ? '…' : 'N/A';

/** As people count letters: an accent or an emoji made of several characters stays whole. */
const firstLetter = (name: string) => Array.from(new Intl.Segmenter().segment(name))[0]?.segment ?? '';
