import { useEffect, useState } from 'react';
import { keepText, keptText } from '../../account/kept-text.ts';
import { useSignIns } from '../../account/use-sign-ins.ts';

const KEY = 'first-steps';

export const firstSteps = ['download', 'sign-in', 'press'] as const;
type Step = (typeof firstSteps)[number];

/** The first steps that are done, which this browser remembers, also after a sign-out. */
export function useFirstSteps() {
  const [ticked, setTicked] = useState<readonly string[]>();
  const { state } = useSignIns();
  const answer = state.kind === 'loaded' && state.value.ok ? state.value.value.sessions : [];
  // The app has signed in, so it has been installed, too.
  const known: readonly Step[] = answer.some(({ kind }) => kind === 'app') ? ['download', 'sign-in'] : [];
  useEffect(() => {
    void keptText(KEY).then((kept) => setTicked(kept?.split(' ') ?? []));
  }, []);
  return {
    /** Undefined until the browser's storage is read. */
    ticked,
    done: firstSteps.filter((step) => known.includes(step) || ticked?.includes(step)),
    isKnown: (step: Step) => known.includes(step),
    tick: (step: Step) => {
      const before = ticked ?? [];
      const next = before.includes(step) ? before.filter((each) => each !== step) : [...before, step];
      setTicked(next);
      void keepText(KEY, next.join(' '));
    },
  };
}
