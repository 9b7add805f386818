import { OFFERED_NAMES } from '../../../account/offered-providers.ts';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import type { ListedSession } from '../../../../../schemas/shapes/sessions.ts';
import { refused } from '../../../account/outcome.ts';
import { call } from '../../../api/call.ts';
import { ActionButton } from '../../../components/account/action-button.tsx';
import { Badge } from '../../../components/card.tsx';
import { Unread } from '../../../components/unread.tsx';
import { ago } from './time-since.ts';
import { Notice } from '../../../components/notice.tsx';
import { signOutAndLeave } from '../../../session/sign-out.ts';
import { Setting } from '../setting.tsx';
import { ShortList } from '../../../components/short-list.tsx';
import type { LoadedSignIns } from '../../../account/use-sign-ins.ts';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';
import settings from '../settings.module.css';
import styles from './sessions.module.css';

// This browser, and the two used last.
const SHOWN_AT_FIRST = 3;

export function Sessions({ state, reload }: LoadedSignIns) {
  const [ended, setEnded] = useState<string>();
  const result = useRef<HTMLDivElement>(null);
  // This browser was used last, just now.
  const listed = state.kind === 'loaded' && state.value.ok ? state.value.value.sessions : [];
  const now = listed.reduce((last, { usedAt }) => (usedAt > last ? usedAt : last), '');

  // The button that had the focus is gone.
  useEffect(() => {
    if (ended !== undefined) result.current?.focus();
  }, [ended]);

  const endOne = async (session: ListedSession) => {
    const answer = await call('end-session', { body: { session: session.id } });
    if (!answer.ok) return refused(answer.sentence);
    if (answer.value.all) {
      await signOutAndLeave({ from: null, notice: 'signed-out-everywhere' });
      return { kind: 'leaving' } as const;
    }
    setEnded(nameOf(session));
    reload();
    return { kind: 'done' } as const;
  };

  return (
    <Setting
      title="Where you're signed in"
      about="Sign out of any browser or app that you don't recognize."
      action={<SignOutEverywhere />}
    >
      {ended !== undefined && (
        <div ref={result} tabIndex={-1} className={styles.Result}>
          <Notice tone="success">{ended} has been signed out.</Notice>
        </div>
      )}
      {state.kind === 'loading' && <output className={styles.Loading}>Loading your sessions...</output>}
      {state.kind === 'loaded' &&
        (state.value.ok ? (
          <ShortList items={listed} first={SHOWN_AT_FIRST} name="Sessions" className={styles.Sessions}>
            {(session) => (
              <Session key={session.id} session={session} now={now} onEnd={() => endOne(session)} />
            )}
          </ShortList>
        ) : (
          <Unread what="sessions" sentence={state.value.sentence} onRetry={reload} />
        ))}
      <details className={styles.Limits}>
        <summary>What signing out doesn't do</summary>
        <p>
          Until it opens this site again, a browser that you sign out can still show your name and address,
          and change the name. If it signed in with {OFFERED_NAMES}, it can do so again for an hour without
          being asked. An app may read your plan for up to a day more. To tell a known browser from a new one,
          we leave a cookie in it that stays after you sign out.
        </p>
      </details>
    </Setting>
  );
}

interface SessionProps {
  session: ListedSession;
  /** The server's time. */
  now: string;
  onEnd: ComponentProps<typeof ActionButton>['work'];
}

function Session({ session, now, onEnd }: SessionProps) {
  const { signedInAt, usedAt, isCurrent } = session;
  const name = nameOf(session);
  return (
    <li className={styles.Session} data-row>
      <div className={settings.About}>
        <strong>{name}</strong>
        <p>
          Signed in <Ago moment={signedInAt} now={now} />, last used <Ago moment={usedAt} now={now} />
        </p>
      </div>
      {isCurrent ? (
        <Badge>This browser</Badge>
      ) : (
        <ActionButton tone="secondary" work={onEnd} busy="Signing out...">
          Sign Out
          <span className="visuallyHidden"> of {name}</span>
        </ActionButton>
      )}
    </li>
  );
}

/** The time since a moment. Its title is the exact time. */
const Ago = ({ moment, now }: { moment: string; now: string }) => (
  <time dateTime={moment} title={new Date(moment).toLocaleString('en-US')}>
    {ago(moment, now)}
  </time>
);

/** An app's address can be long, or have a scheme of its own. */
const nameOf = ({ kind, name }: ListedSession): string =>
  kind === 'app' ? `App at ${name.replace(/^https?:\/\//, '').split(/[?#]/)[0]}` : name;
