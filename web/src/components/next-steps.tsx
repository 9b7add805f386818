import type { ComponentType, ReactNode } from 'react';
import { ButtonLink } from './button.tsx';

/** A link that looks like a button: the router's, or a plain link that loads the page. */
export type LinkComponent = ComponentType<{
  to: string;
  tone?: 'primary' | 'secondary';
  children: ReactNode;
}>;

/** Links to other pages once nothing is left to do here. */
export const NextSteps = ({ link: Link = ButtonLink }: { link?: LinkComponent }) => (
  <>
    <Link to="/dashboard">Go to Dashboard</Link>
    <Link to="/pricing" tone="secondary">
      See Your Plan
    </Link>
  </>
);
