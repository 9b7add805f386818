import { type ReactNode, useEffect, useRef } from 'react';
import { useHydrated } from '../../navigation/hydrated.ts';
import { Button, type ButtonVariant } from '../button.tsx';
import { noticeProps } from '../notice.tsx';
import { MarksMissing } from './marks-missing.ts';
import styles from './account.module.css';
import type { FormControl } from './use-account-form.ts';
import { WithWays } from './with-ways.tsx';

interface AccountFormProps {
  form: FormControl;
  onSubmit: () => Promise<unknown>;
  submit: string;
  /** The button's text while the form is sent. */
  sending: string;
  /** `secondary` beside a page's own first action. */
  tone?: ButtonVariant['tone'];
  ready?: boolean;
  /** Whether `onSubmit` itself reports missing fields: the fields are then only marked. */
  reportsMissingFields?: boolean;
  /** The address that the user has typed, for the links in a refusal. */
  email?: string;
  /** Shown after a refusal's message, such as a button that helps. */
  remedy?: ReactNode;
  /** Shown above the fields, such as the buttons of sign-in providers. */
  alternative?: ReactNode;
  children: ReactNode;
}

export function AccountForm({
  form: { state, edit },
  onSubmit,
  submit,
  sending,
  tone = 'primary',
  ready = true,
  reportsMissingFields = false,
  email,
  remedy,
  alternative,
  children,
}: AccountFormProps) {
  const alert = useRef<HTMLDivElement>(null);
  const element = useRef<HTMLFormElement>(null);
  const hydrated = useHydrated();
  // The alert and the start may be out of sight. If both fit into the window, both are shown.
  useEffect(() => {
    if (state.kind !== 'refused') return;
    const start = element.current?.querySelector<HTMLElement>('[aria-invalid=true]') ?? alert.current;
    start?.focus({ preventScroll: true });
    // The field is shown with its label.
    for (const part of [alert.current, start?.closest('div')]) part?.scrollIntoView({ block: 'nearest' });
  }, [state]);
  return (
    <>
      {state.kind === 'refused' && (
        <div {...noticeProps('danger')} role="alert" ref={alert} tabIndex={-1}>
          <WithWays sentence={state.message} email={email} /> {remedy}
        </div>
      )}
      {alternative}
      <form
        ref={element}
        className={styles.Form}
        data-stack="5"
        noValidate
        // Without a script, the browser's own submission would put the password into the address.
        method="post"
        onInput={edit}
        onSubmit={(event) => {
          event.preventDefault();
          // The first render lacks the address's query, such as the code of a mail's link.
          if (!hydrated) {
            setTimeout(() => element.current?.requestSubmit());
            return;
          }
          if (state.kind === 'sending' || !ready) return;
          if (reportsMissingFields || isValid(event.currentTarget)) void onSubmit();
        }}
      >
        <MarksMissing value={state.kind === 'refused' && state.reason === 'missing'}>{children}</MarksMissing>
        <noscript>This page needs JavaScript to send the form.</noscript>
        {/* Not disabled while sending: a disabled button loses the focus. */}
        <Button type="submit" wide tone={tone} disabled={!ready} aria-busy={state.kind === 'sending'}>
          {state.kind === 'sending' ? sending : submit}
        </Button>
      </form>
    </>
  );
}

/** Makes every invalid field say what is wrong, and focuses the first one. */
function isValid(form: HTMLFormElement): boolean {
  if (form.checkValidity()) return true;
  form.querySelector<HTMLInputElement>('input:invalid')?.focus();
  return false;
}
