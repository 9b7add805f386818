import { useNavigate } from 'react-router-dom';
import { arrive, finish } from '../../relay/relay.ts';
import { RelayStatus } from '../../relay/relay-status.tsx';
import { callbackPath } from '../../relay/request.ts';
import { useOutcome } from '../../relay/use-outcome.ts';

/** The redirect address of providers, from which the tokens go on to the app. */
export default function OAuthCallbackPage() {
  const navigate = useNavigate();
  const state = useOutcome(() => {
    const arrival = arrive();
    void navigate(callbackPath(arrival.request), { replace: true });
    return finish(arrival);
  });
  return <RelayStatus state={state} />;
}
