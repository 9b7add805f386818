import { Alert, Button } from '@aws-amplify/ui-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { buttonProps } from '../button.tsx';
import { noticeProps } from '../notice.tsx';
import styles from './account.module.css';

/** What a form is doing. `message` stands above it until somebody types. */
export type FormState = { kind: 'editing' } | { kind: 'sending' } | { kind: 'refused'; message: string };

interface AccountFormProps {
  state: FormState;
  onSubmit: () => Promise<void>;
  submit: string;
  /** What the button says while the form is on its way. */
  sending: string;
  /** Whether the fields hold what the form needs. */
  ready?: boolean;
  /** Whether `onSubmit` has a sentence for what the fields lack. Otherwise the browser says it in its own words. */
  answersItself?: boolean;
  /** What to do about a refusal, shown with it. */
  remedy?: ReactNode;
  /** Another way to the same end, above the fields. */
  alternative?: ReactNode;
  children: ReactNode;
}

export function AccountForm({
  state,
  onSubmit,
  submit,
  sending,
  ready = true,
  answersItself = false,
  remedy,
  alternative,
  children,
}: AccountFormProps) {
  const alert = useRef<HTMLDivElement>(null);
  // It stands above what was pressed, and may be out of sight there.
  useEffect(() => {
    if (state.kind === 'refused') alert.current?.focus();
  }, [state]);
  return (
    <>
      {state.kind === 'refused' && (
        <Alert {...noticeProps('danger')} hasIcon={false} ref={alert} tabIndex={-1}>
          {state.message} {remedy}
        </Alert>
      )}
      {alternative}
      <form
        className={styles.Form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (state.kind === 'sending' || !ready) return;
          if (answersItself || event.currentTarget.reportValidity()) void onSubmit();
        }}
      >
        {children}
        {/* Not disabled while sending: that would take the focus away from whoever pressed it. */}
        <Button
          type="submit"
          {...buttonProps({ wide: true })}
          isDisabled={!ready}
          aria-busy={state.kind === 'sending'}
        >
          {state.kind === 'sending' ? sending : submit}
        </Button>
      </form>
    </>
  );
}
