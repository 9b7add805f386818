import { useCallback, useEffect, useState } from 'react';
import type { BillingOverview } from '../../../../schemas/billing.ts';
import { call } from '../../api/call.ts';

export type Billing =
  | { kind: 'loading' }
  | { kind: 'known'; overview: BillingOverview }
  | { kind: 'unread'; sentence: string };

interface Read {
  userId: string;
  /** Which reading it came from. */
  reading: number;
  billing: Billing;
}

/**
 * What a person pays and has paid, read when the dashboard opens and when they come back to it: cards are changed and invoices
 * paid on pages of Stripe's. `reload` reads it once more.
 */
export function useBilling(userId: string): { billing: Billing; reload: () => void } {
  const [reading, setReading] = useState(0);
  const [read, setRead] = useState<Read | null>(null);

  useEffect(() => {
    let current = true;
    void call('billing').then((answer) => {
      if (!current) return;
      setRead({
        userId,
        reading,
        billing: answer.ok
          ? { kind: 'known', overview: answer.value }
          : { kind: 'unread', sentence: answer.sentence },
      });
    });
    return () => {
      current = false;
    };
  }, [userId, reading]);

  const reload = useCallback(() => setReading((count) => count + 1), []);

  // What is owed may be paid by now; what isn't known or not owed doesn't change meanwhile.
  const owing = read?.billing.kind === 'known' && read.billing.overview.subscription?.status === 'past_due';
  useEffect(() => {
    if (!owing) return undefined;
    const look = () => {
      if (document.visibilityState === 'visible') reload();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [owing, reload]);

  // While it is read anew, what was known stands.
  const shown = read?.userId === userId && (read.reading === reading || read.billing.kind === 'known');
  return { billing: shown ? read.billing : { kind: 'loading' }, reload };
}
