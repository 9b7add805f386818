import { type ReactNode, useEffect, useState } from 'react';
import { inAppPath } from '../../session/from-path.ts';
import { useOrigin } from '../../session/use-origin.ts';
import type { Provider } from '../../oauth/providers.ts';
import { signInWithProvider } from '../../session/provider-sign-in.ts';
import { Button } from '../button.tsx';
import { GitHubMark, GoogleMark } from './provider-marks.tsx';
import styles from './social-sign-in.module.css';

const PROVIDERS: readonly { name: Provider; mark: ReactNode }[] = [
  { name: 'Google', mark: <GoogleMark /> },
  { name: 'GitHub', mark: <GitHubMark /> },
];

interface SocialSignInProps {
  /** What was refused before is no longer so. */
  onBegin: () => void;
  onRefused: (message: string) => void;
}

/** Signs in, or up, by an account elsewhere: to a provider that is the same thing. */
export function SocialSignIn({ onBegin, onRefused }: SocialSignInProps) {
  const { from } = useOrigin();
  const [leaving, setLeaving] = useState<Provider | null>(null);

  // Whoever turns back before the provider has answered may find this page as they left it.
  useEffect(() => {
    const stay = () => setLeaving(null);
    addEventListener('pageshow', stay);
    return () => removeEventListener('pageshow', stay);
  }, []);

  const leave = async (provider: Provider) => {
    onBegin();
    setLeaving(provider);
    const { message } = await signInWithProvider(provider, inAppPath(from));
    setLeaving(null);
    onRefused(message);
  };

  return (
    <div className={styles.SocialSignIn}>
      {PROVIDERS.map(({ name, mark }) => (
        <Button
          key={name}
          tone="secondary"
          wide
          aria-busy={leaving === name}
          onClick={() => {
            if (leaving === null) void leave(name);
          }}
        >
          {mark}
          Continue with {name}
        </Button>
      ))}
      <p className={styles.Or}>or</p>
    </div>
  );
}
