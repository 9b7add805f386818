import { Component, type ReactNode } from 'react';
import { product } from '../../../schemas/product.ts';
import { Button, buttonProps } from './button.tsx';
import { Message } from './message.tsx';

/** Stands in for a page that failed to draw, or whose script didn't load. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <SomethingWentWrong /> : this.props.children;
  }
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
