import { Component, type ReactNode, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { product } from '../../../schemas/product/product.ts';
import { Button, buttonProps } from './button.tsx';
import { Message } from './message.tsx';

/** Shows an error page if the children fail to render or to load. Renders nothing without `shown`. */
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

/** One boundary per visited page, which outlives it and catches the errors of its effects' cleanup. */
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

/** Links here load the whole page: the script that would handle them may be broken. */
export function SomethingWentWrong() {
  return (
    <Message
      title="Something went wrong"
      sign="!"
      lead="This page could not be loaded. Either your connection was lost, or we updated the site while the page was open: Try Again loads it anew."
      actions={
        <>
          <Button onClick={() => location.reload()}>Try Again</Button>
          <a {...buttonProps({ tone: 'secondary' })} href="/">
            Back to Home
          </a>
        </>
      }
    >
      <p>
        If it fails again while other sites work, an extension may be blocking parts of the page: try without
        it, or in another browser. If that doesn't help either, write to{' '}
        <a href={`mailto:${product.supportEmail}`}>{product.supportEmail}</a> and say what you were about to
        do.
      </p>
    </Message>
  );
}
