import { Alert, Button } from '@aws-amplify/ui-react';
import type { ReactNode } from 'react';
import { buttonLook } from '../button.tsx';
import { noticeLook } from '../notice.tsx';
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
  /** What to do about a refusal, shown with it. */
  remedy?: ReactNode;
  children: ReactNode;
}

export function AccountForm({
  state,
  onSubmit,
  submit,
  sending,
  ready = true,
  remedy,
  children,
}: AccountFormProps) {
  return (
    <form
      className={styles.Form}
      onSubmit={(event) => {
        event.preventDefault();
        if (state.kind !== 'sending' && ready) void onSubmit();
      }}
    >
      {state.kind === 'refused' && (
        <Alert {...noticeLook('wrong')} hasIcon={false}>
          {state.message} {remedy}
        </Alert>
      )}
      {children}
      {/* Not disabled while sending: that would take the focus away from whoever pressed it. */}
      <Button
        type="submit"
        {...buttonLook({ wide: true })}
        isDisabled={!ready}
        aria-busy={state.kind === 'sending'}
      >
        {state.kind === 'sending' ? sending : submit}
      </Button>
    </form>
  );
}
