import { type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type ProviderKey, providers as catalogue } from '../../../../../schemas/product/providers.ts';
import { connectProvider, disconnectProvider } from '../../../account/change-provider.ts';
import { OFFERED_NAMES, offeredProviders } from '../../../account/offered-providers.ts';
import { AccountForm } from '../../../components/account/account-form.tsx';
import { PasswordField } from '../../../components/account/password-field.tsx';
import { useAccountForm } from '../../../components/account/use-account-form.ts';
import { UserNameField } from '../../../components/account/user-name-field.tsx';
import { Button } from '../../../components/button.tsx';
import type { User } from '../../../session/session.ts';
import { SessionsEnded } from '../sessions/sessions-ended.tsx';
import { Setting } from '../setting.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import type { LoadedSignIns } from './use-sign-ins.ts';
import sessions from '../sessions/sessions.module.css';
import styles from '../settings.module.css';

const ANCHOR = 'ways-in';

/** The ways to sign in to the account, with forms that disconnect a provider or connect it. */
export function WaysIn({ user, state, reload }: { user: User } & LoadedSignIns) {
  const answer = state.kind === 'loaded' && state.value.ok ? state.value.value.waysIn : null;
  const [open, setOpen] = useState<ProviderKey | null>(null);
  const [disconnected, setDisconnected] = useState<{ provider: ProviderKey; certain: boolean } | null>(null);
  // The token knows the way that made the account.
  const { password, providers } = answer ?? {
    password: user.hasPassword,
    providers: user.provider === null ? [] : [user.provider],
  };
  const others = answer === null ? [] : offeredProviders.filter((provider) => !providers.includes(provider));
  const ways = [
    ...providers.map((provider) => ({ provider, isConnected: true })),
    ...others.map((provider) => ({ provider, isConnected: false })),
  ];
  const show = (provider: ProviderKey | null) => {
    setDisconnected(null);
    setOpen(provider);
  };
  return (
    <Setting
      title="How you sign in"
      anchor={ANCHOR}
      about={`An account at ${OFFERED_NAMES} with your address, verified there, opens this account too, unless you disconnect it.`}
    >
      {disconnected && (
        <SessionsEnded certain={disconnected.certain}>
          {catalogue[disconnected.provider].name} is disconnected
        </SessionsEnded>
      )}
      <ul className={sessions.Sessions} aria-busy={answer === null}>
        {password && <Way name="Password" about="With your email address." />}
        {ways.map((way) => (
          <ProviderWay
            key={way.provider}
            {...way}
            user={user}
            isOpen={open === way.provider}
            onOpen={answer === null ? null : () => show(way.provider)}
            onCancel={() => show(null)}
            onDisconnected={(certain) => {
              setOpen(null);
              setDisconnected({ provider: way.provider, certain });
              reload();
            }}
          />
        ))}
      </ul>
    </Setting>
  );
}

interface ProviderWayProps extends ProviderFormProps {
  isOpen: boolean;
  /** Null until the ways are known. */
  onOpen: (() => void) | null;
}

function ProviderWay({ isOpen, onOpen, onCancel, ...form }: ProviderWayProps) {
  const { user, provider, isConnected } = form;
  const opener = useRef<HTMLButtonElement>(null);
  const cancel = () => {
    // The button is there again before it takes the focus.
    flushSync(onCancel);
    opener.current?.focus();
  };
  const isOwn = provider === user.provider;
  const { name } = catalogue[provider];
  return (
    <Way
      name={name}
      about={
        isOwn
          ? 'You made your account with it.'
          : isConnected
            ? 'Connected to your account.'
            : 'Not connected.'
      }
      action={
        !isOwn &&
        onOpen &&
        !isOpen && (
          <Button ref={opener} tone="secondary" onClick={onOpen}>
            {isConnected ? 'Disconnect' : 'Connect'}
            <span className="visuallyHidden"> {name}</span>
          </Button>
        )
      }
    >
      {isOpen && <ProviderForm {...form} onCancel={cancel} />}
    </Way>
  );
}

interface WayProps {
  name: string;
  about: string;
  action?: ReactNode;
  children?: ReactNode;
}

function Way({ name, about, action, children }: WayProps) {
  return (
    <li>
      <div className={sessions.Session}>
        <div className={sessions.About}>
          <span className={sessions.Name}>{name}</span>
          <span className={sessions.Times}>{about}</span>
        </div>
        {action}
      </div>
      {children}
    </li>
  );
}

interface ProviderFormProps {
  user: User;
  provider: ProviderKey;
  isConnected: boolean;
  onCancel: () => void;
  /** `certain`: whether all other sessions have certainly ended. */
  onDisconnected: (certain: boolean) => void;
}

function ProviderForm({ user, provider, isConnected, onCancel, onDisconnected }: ProviderFormProps) {
  const { name } = catalogue[provider];
  const form = useAccountForm();
  const [password, setPassword] = useState('');
  const [needsSignIn, setNeedsSignIn] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    container.current?.focus();
  }, []);

  const submit = async () => {
    const change = isConnected ? disconnectProvider : connectProvider;
    const outcome = await form.send(change(provider, password));
    if (outcome.kind === 'done') onDisconnected(outcome.sessionsEnded);
    else setNeedsSignIn(outcome.needsSignIn);
  };

  return (
    <div ref={container} tabIndex={-1} className={styles.Form}>
      <p>
        {isConnected
          ? `“Continue with ${name}” will no longer open this account, and every session ends. You can connect it again here.`
          : `Choose the ${name} account with the address ${user.email}. One with another address opens another account.`}
      </p>
      <AccountForm
        form={form}
        onSubmit={submit}
        submit={`${isConnected ? 'Disconnect' : 'Connect'} ${name}`}
        sending={isConnected ? 'Disconnecting...' : 'Connecting...'}
        tone="secondary"
        remedy={needsSignIn && <SignInAgain user={user} path={`/dashboard#${ANCHOR}`} />}
      >
        {user.hasPassword && (
          <>
            <UserNameField email={user.email} />
            <PasswordField value={password} onChange={setPassword} />
          </>
        )}
      </AccountForm>
      <Button tone="quiet" wide disabled={form.state.kind === 'sending'} onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
