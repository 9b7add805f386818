import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { ButtonLink } from '../components/button.tsx';
import { Message } from '../components/message.tsx';
import { Notice } from '../components/notice.tsx';
import type { RelayState } from './use-outcome.ts';

// Specification, section 9.
const AFTER_SUCCESS = 1_000;
const AFTER_ERROR = 2_000;

/** Says how a sign-in for an app stands, and leaves by itself as the specification has it. */
export function RelayStatus({ state }: { state: RelayState }) {
  useLeaving(state);
  if (state.kind === 'success') {
    return (
      <Message title="You are signed in">
        <Notice tone="success">Redirecting back...</Notice>
      </Message>
    );
  }
  if (state.kind === 'error') return <Failure {...state} />;
  return (
    <Message title="Signing you in">
      <Notice>One moment...</Notice>
    </Message>
  );
}

function Failure({ message, wayOut }: Extract<RelayState, { kind: 'error' }>) {
  const staying = wayOut.kind === 'stay';
  return (
    <Message
      title="Sign-in failed"
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
          ? 'Nothing was sent anywhere. Go back to the app you came from and begin there again.'
          : 'Redirecting back...'}
      </p>
    </Message>
  );
}

function useLeaving(state: RelayState): void {
  const navigate = useNavigate();
  useEffect(() => {
    const leaving = leavingOf(state, () => void navigate('/login', { replace: true }));
    if (!leaving) return undefined;
    const timer = setTimeout(leaving.leave, leaving.delay);
    return () => clearTimeout(timer);
  }, [state, navigate]);
}

/** Replaced each time: nobody comes back to a page that sends them on again, or that holds a token. */
function leavingOf(state: RelayState, toLogin: () => void): { delay: number; leave: () => void } | null {
  if (state.kind === 'onward') return { delay: 0, leave: () => location.replace(state.to) };
  if (state.kind === 'success') return { delay: AFTER_SUCCESS, leave: () => location.replace(state.to) };
  if (state.kind === 'processing' || state.wayOut.kind === 'stay') return null;
  const { wayOut } = state;
  return {
    delay: AFTER_ERROR,
    leave: wayOut.kind === 'back' ? () => location.replace(wayOut.to) : toLogin,
  };
}
