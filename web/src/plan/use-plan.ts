import { useCallback, useEffect, useState } from 'react';
import { useSession } from '../session/session.ts';
import type { PlanState } from './standing.ts';

interface Lookup {
  userId: string;
  /** Which reading it came from. */
  reading: number;
  state: PlanState;
}

/** The plan of whoever is signed in, read anew whenever a page opens; `reload` reads it once more. */
export function usePlan(): { state: PlanState; reload: () => void } {
  const session = useSession();
  const userId = session.kind === 'signed-in' ? session.user.id : null;
  const [reading, setReading] = useState(0);
  const [lookup, setLookup] = useState<Lookup | null>(null);

  useEffect(() => {
    if (userId === null) return undefined;
    let current = true;
    void readPlan().then((state) => {
      if (current) setLookup({ userId, reading, state });
    });
    return () => {
      current = false;
    };
  }, [userId, reading]);

  const reload = useCallback(() => setReading((count) => count + 1), []);

  if (session.kind === 'loading') return { state: { kind: 'loading' }, reload };
  if (userId === null) return { state: { kind: 'visitor' }, reload };
  const fresh = lookup?.userId === userId && lookup.reading === reading;
  return { state: fresh ? lookup.state : { kind: 'loading' }, reload };
}

async function readPlan(): Promise<PlanState> {
  try {
    // Pricing is a public page: a visitor never loads what it takes to call.
    const { call } = await import('../api/call.ts');
    const answer = await call('plan');
    return answer.ok ? { kind: 'known', plan: answer.value } : { kind: 'assumed', sentence: answer.sentence };
  } catch {
    return { kind: 'assumed', sentence: `Your plan couldn't be loaded.` };
  }
}
