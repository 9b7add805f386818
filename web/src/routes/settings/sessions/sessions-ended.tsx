import type { ReactNode } from 'react';
import { Notice } from '../../../components/notice.tsx';

/** The result of a change that ends all other sessions. `certain`: whether they have certainly ended. */
export function SessionsEnded({ children, certain }: { children: ReactNode; certain: boolean }) {
  return certain ? (
    <Notice tone="success">
      {children}. All your other sessions have ended; other devices may stay signed in for up to 15 minutes.
    </Notice>
  ) : (
    <Notice tone="danger">
      {children}, but we couldn't make sure that all your other sessions have ended. Press Sign Out Everywhere
      below to end them.
    </Notice>
  );
}
