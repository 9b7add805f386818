import { type ReactNode, useState } from 'react';
import { Card } from '../../components/card.tsx';
import { LatestResult } from './latest-result.ts';

/** The rows with which users change the account. */
export function Settings({ children }: { children: ReactNode }) {
  const latest = useState<string | null>(null);
  return (
    <Card title="Settings">
      <div>
        <LatestResult value={latest}>{children}</LatestResult>
      </div>
    </Card>
  );
}
