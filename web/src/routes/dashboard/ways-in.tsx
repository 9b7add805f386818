import type { User } from '../../session/session.ts';
import { Setting } from './setting.tsx';
import type { LoadedSignIns } from './sign-ins.tsx';
import styles from './sessions.module.css';

/** The ways to sign in to the account. */
export function WaysIn({ user, state }: { user: User } & LoadedSignIns) {
  const answer = state.kind === 'loaded' && state.value.ok ? state.value.value.waysIn : null;
  // The token knows the way that made the account.
  const { password, providers } = answer ?? {
    password: user.hasPassword,
    providers: user.provider === null ? [] : [user.provider],
  };
  return (
    <Setting
      title="How you sign in"
      about="A Google or GitHub account with your address, verified there, opens this account too."
    >
      <ul className={styles.Sessions} aria-busy={answer === null}>
        {password && <Way name="Password" about="With your email address." />}
        {providers.map((provider) => (
          <Way
            key={provider}
            name={provider}
            about={
              provider === user.provider ? 'You made your account with it.' : 'Connected to your account.'
            }
          />
        ))}
      </ul>
    </Setting>
  );
}

function Way({ name, about }: { name: string; about: string }) {
  return (
    <li className={styles.Session}>
      <div className={styles.About}>
        <span className={styles.Name}>{name}</span>
        <span className={styles.Times}>{about}</span>
      </div>
    </li>
  );
}
