import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
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

export function SomethingWentWrong() {
  return (
    <Message
      title="Something went wrong"
      actions={<Button onClick={() => location.reload()}>Try Again</Button>}
    >
      <p>This page could not be loaded. Please check your connection and try again.</p>
    </Message>
  );
}
