import { startSignIn } from '../../relay/relay.ts';
import { RelayStatus } from '../../relay/relay-status.tsx';
import { useOutcome } from '../../relay/use-outcome.ts';

/** The page where apps start a sign-in. Redirects to the provider at once. */
export default function OAuthStartPage() {
  return <RelayStatus state={useOutcome(startSignIn)} />;
}
