import type { ReactNode } from 'react';
import { Button, type ButtonVariant } from '../button.tsx';
import { Notice } from '../notice.tsx';
import { usePageRestored } from '../page/page-restored.ts';
import { useAccountForm } from './use-account-form.ts';

interface ActionButtonProps extends ButtonVariant {
  /** `leaving`: the page is about to be left, and the button stays busy. */
  work: () => Promise<{ kind: 'done' | 'leaving' } | { kind: 'refused'; message: string }>;
  /** The button's text while the work is under way. */
  busy: ReactNode;
  disabled?: boolean;
  children: ReactNode;
}

/** A button for a call, whose refusal shows above it. Ignores further presses meanwhile. */
export function ActionButton({ work, busy, children, ...variant }: ActionButtonProps) {
  const { state, edit, send } = useAccountForm();
  const isBusy = state.kind === 'sending';
  usePageRestored(edit);
  const press = async () => {
    if (isBusy) return;
    const { kind } = await send(work());
    if (kind === 'done') edit();
  };
  return (
    <>
      {state.kind === 'refused' && <Notice tone="danger">{state.message}</Notice>}
      {/* Not disabled while busy: a disabled button loses the focus. */}
      <Button {...variant} aria-busy={isBusy} onClick={() => void press()}>
        {isBusy ? busy : children}
      </Button>
    </>
  );
}
