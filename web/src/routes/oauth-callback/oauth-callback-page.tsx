import { useNavigate } from 'react-router-dom';
import { finishSignIn, takeCallback } from '../../relay/relay.ts';
import { RelayStatus } from '../../relay/relay-status.tsx';
import { callbackPath } from '../../relay/app-request.ts';
import { useOutcome } from '../../relay/use-outcome.ts';

/** The redirect address of providers. The page passes the tokens on to the app. */
export default function OAuthCallbackPage() {
  const navigate = useNavigate();
  const state = useOutcome(() => {
    const callback = takeCallback();
    void navigate(callbackPath(callback.request), { replace: true });
    return finishSignIn(callback);
  });
  return <RelayStatus state={state} />;
}
