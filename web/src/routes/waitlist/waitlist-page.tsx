import { useId, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { plainAddress, visibleText } from '../../../../schemas/plain-text.ts';
import { product } from '../../../../schemas/product/product.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { PageLayout } from '../../components/page/page-layout.tsx';
import { keepTyped } from '../../navigation/keep-typed.ts';
import { join } from './join.ts';
import styles from './waitlist.module.css';

type State =
  | { kind: 'idle' }
  | { kind: 'submitting' }
  | { kind: 'success'; email: string }
  | { kind: 'error'; sentence: string; field?: 'name' | 'email' };

const FIELDS = ['name', 'email'] as const;
const labels = { name: 'Name', email: 'Email' };

/** Takes what was typed or pasted through the door for text, before the browser checks it. */
const keep = (input: HTMLInputElement) => {
  const read = input.name === 'email' ? plainAddress : visibleText;
  if (read(input.value) !== input.value) input.value = read(input.value);
  keepTyped(input.name as (typeof FIELDS)[number], input.value);
};
const keepEarly = (input: HTMLInputElement | null) => {
  if (input?.value) keep(input);
};

export default function WaitlistPage() {
  const [state, setState] = useState<State>({ kind: 'idle' });
  const fault = useId();
  const { state: kept } = useLocation() as { state: { name?: string; email?: string } | null };

  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const entry = { name: textOf(data, 'name'), email: textOf(data, 'email').toLowerCase() };
    setState({ kind: 'submitting' });
    const outcome = await join(entry);
    setState(outcome.kind === 'success' ? { kind: 'success', email: entry.email } : outcome);
    const field = outcome.kind === 'error' && outcome.field && form.elements.namedItem(outcome.field);
    if (field instanceof HTMLInputElement) field.focus();
  };
  const faultOf = (field: 'name' | 'email') =>
    state.kind === 'error' && state.field === field
      ? ({ 'aria-invalid': true, 'aria-describedby': fault } as const)
      : {};

  if (state.kind === 'success') return <Joined email={state.email} />;
  return (
    <PageLayout kind="form">
      <PageHeader
        title="Windows Waitlist"
        lead={
          <>
            {product.name} runs on Mac for now. Leave your name and{' '}
            <span className={styles.Unbroken}>email address</span>, and we’ll write when it runs on Windows.
          </>
        }
      />
      <noscript>
        <p className={styles.WithoutScript}>
          This form needs JavaScript to be sent. Without it, write to{' '}
          <a href={`mailto:${product.supportEmail}?subject=Windows%20Waitlist`}>{product.supportEmail}</a>,
          and we will put you on the list.
        </p>
      </noscript>
      {/*
       * Uncontrolled fields keep what is typed before hydration. The method keeps the browser from
       * submitting the form itself before then, which would put name and email address into the page's
       * address.
       */}
      <form
        method="dialog"
        className={styles.Form}
        onSubmit={(event) => {
          event.preventDefault();
          if (state.kind !== 'submitting') void submit(event.currentTarget);
        }}
        onInput={({ target, nativeEvent }) => {
          if (state.kind === 'error') setState({ kind: 'idle' });
          const composes = nativeEvent.isComposing;
          if (target instanceof HTMLInputElement && !composes) keep(target);
        }}
      >
        <div id={fault}>{state.kind === 'error' && <Notice tone="danger">{state.sentence}</Notice>}</div>
        {FIELDS.map((field) => (
          <label key={field} className={styles.Field}>
            {labels[field]}
            <input
              type={field === 'email' ? 'email' : 'text'}
              name={field}
              autoComplete={field}
              // Keeps text that was typed before hydration.
              ref={keepEarly}
              defaultValue={kept?.[field]}
              required
              {...faultOf(field)}
            />
          </label>
        ))}
        {/* Not disabled while submitting: a disabled button loses the focus. */}
        <Button type="submit" wide aria-busy={state.kind === 'submitting'}>
          {state.kind === 'submitting' ? 'Joining...' : 'Join the Waitlist'}
        </Button>
      </form>
    </PageLayout>
  );
}

function Joined({ email }: { email: string }) {
  return (
    <Message
      takesFocus
      title="You're on the list!"
      sign="+"
      lead={
        <>
          Thank you. We’ll write to <strong>{email}</strong> when {product.name} runs on Windows, and about
          nothing else.
        </>
      }
      actions={<ButtonLink to="/">Back to Home</ButtonLink>}
    />
  );
}

function textOf(form: FormData, field: string): string {
  const value = form.get(field);
  return typeof value === 'string' ? value.trim() : '';
}
