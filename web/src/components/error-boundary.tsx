import { Component, type ReactNode, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { product } from '../../../schemas/product.ts';
import { Button, buttonProps } from './button.tsx';
import { Message } from './message.tsx';

/** Stands in for what failed to draw, or whose script didn't load. Without `shown`, it is empty. */
export class ErrorBoundary extends Component<{ shown: boolean; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.props.shown) return null;
    return this.state.failed ? <SomethingWentWrong /> : this.props.children;
  }
}

/**
 * Around the pages, a boundary for each. React gives an error that a clean-up throws to a boundary that outlives
 * the page, so the boundary of the page before stays, empty: the next page shows whatever fails in leaving.
 */
export function PageBoundary({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const [visit, setVisit] = useState({ pathname, count: 1 });
  if (visit.pathname !== pathname) setVisit({ pathname, count: visit.count + 1 });
  return [visit.count - 1, visit.count].map((count) => (
    <ErrorBoundary key={count} shown={count === visit.count}>
      {children}
    </ErrorBoundary>
  ));
}

/** Leads on by whole page loads: what is broken may be the script that would follow a link. */
export function SomethingWentWrong() {
  return (
    <Message
      title="Something went wrong"
      actions={
        <>
          <Button onClick={() => location.reload()}>Try Again</Button>
          <a {...buttonProps({ tone: 'secondary' })} href="/">
            Back to Home
          </a>
        </>
      }
    >
      <p>This page could not be loaded. Please check your connection and try again.</p>
      <p>
        If it stays like this, write to <a href={`mailto:${product.supportEmail}`}>{product.supportEmail}</a>{' '}
        and say what you were about to do.
      </p>
    </Message>
  );
}
