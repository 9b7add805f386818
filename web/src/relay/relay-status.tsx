import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { LinkedAccount } from '../components/account/linked-account.tsx';
import { ButtonLink } from '../components/button.tsx';
import { Message } from '../components/message.tsx';
import { Notice } from '../components/notice.tsx';
import { SigningIn } from './signing-in.tsx';
import type { RelayState } from './use-outcome.ts';

// Milliseconds for which the result shows before the redirect.
const AFTER_SUCCESS = 1_000;
const AFTER_ERROR = 2_000;
const AFTER_LINKING = 2_000;

/** Shows the state of a sign-in for an app, and redirects once there is a result. */
export function RelayStatus({ state }: { state: RelayState }) {
  useRedirect(state);
  if (state.kind === 'success') {
    return (
      <Message title="You are signed in">
        <Notice tone="success">Redirecting back...</Notice>
      </Message>
    );
  }
  if (state.kind === 'error') return <Failure {...state} />;
  if (state.kind === 'provider' && state.linked) return <LinkedAccount provider={state.linked} />;
  return <SigningIn />;
}

function Failure({ message, redirect }: Extract<RelayState, { kind: 'error' }>) {
  const staying = redirect.kind === 'none';
  return (
    <Message
      title="Sign-in failed"
      sign="!"
      actions={
        staying && (
          <ButtonLink to="/" tone="secondary">
            Back to Home
          </ButtonLink>
        )
      }
    >
      <Notice tone="danger">OAuth Error: {message}</Notice>
      <p>
        {staying
          ? 'Nothing was sent anywhere. Go back to the app you came from and begin there again. If you come back here, the app needs an update from its makers.'
          : 'Redirecting back...'}
      </p>
    </Message>
  );
}

function useRedirect(state: RelayState): void {
  const navigate = useNavigate();
  useEffect(() => {
    const redirect = redirectOf(state, () => void navigate('/login', { replace: true }));
    if (!redirect) return undefined;
    const timer = setTimeout(redirect.run, redirect.delay);
    return () => clearTimeout(timer);
  }, [state, navigate]);
}

/** The redirect for a state. Replaces the history entry, so that the back button reaches no token. */
function redirectOf(state: RelayState, toLogin: () => void): { delay: number; run: () => void } | null {
  if (state.kind === 'provider') {
    return { delay: state.linked ? AFTER_LINKING : 0, run: () => location.replace(state.to) };
  }
  if (state.kind === 'success') return { delay: AFTER_SUCCESS, run: () => location.replace(state.to) };
  if (state.kind === 'processing' || state.redirect.kind === 'none') return null;
  const { redirect } = state;
  return {
    delay: AFTER_ERROR,
    run: redirect.kind === 'app' ? () => location.replace(redirect.to) : toLogin,
  };
}
