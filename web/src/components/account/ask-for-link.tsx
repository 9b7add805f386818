import { type ReactNode, useState } from 'react';
import { anonymousCode, withCode } from '../../account/with-code.ts';
import { EMAIL_INVALID } from '../../account/credentials.ts';
import { keepGoingTo } from '../../account/going-to.ts';
import type { Outcome } from '../../account/outcome.ts';
import { useCameFrom } from '../../navigation/use-came-from.ts';
import { useTyped } from '../../navigation/use-typed.ts';
import { AccountForm } from './account-form.tsx';
import { AccountLayout } from './account-layout.tsx';
import { EmailField } from './email-field.tsx';
import { MailMissing } from './mail-missing.tsx';
import { useAccountForm } from './use-account-form.ts';

interface AskForLinkProps {
  purpose: 'reset' | 'end-contract';
  title: string;
  lead: string;
  /** The link's use, after `a link to`. */
  link: string;
  /** Links to related pages. */
  footer: (email: string) => ReactNode;
  /** Shown once the mail is on its way. */
  children?: ReactNode;
}

/** Asks for a mail with a link. Says the same for every address. */
export function AskForLink({ purpose, title, lead, link, footer, children }: AskForLinkProps) {
  const [email, setEmail] = useTyped('email');
  const { from } = useCameFrom();
  const form = useAccountForm();
  const [isSent, setSent] = useState(false);

  const submit = async () => {
    const { kind } = await form.send(ask(email, purpose));
    if (kind !== 'done') return;
    if (purpose === 'reset') await keepGoingTo(from);
    setSent(true);
  };

  if (isSent) {
    return (
      // The key remounts the layout, so that the focus moves to the new heading.
      <AccountLayout
        key="sent"
        takesFocus
        title="Check your email"
        lead={
          <output>
            If there is an account for <strong>{email.trim()}</strong>, a link to {link} is on its way. It
            works for a day.
          </output>
        }
        footer={footer(email)}
      >
        {children}
        <p>Nothing there after a minute or two? Please look in your spam folder.</p>
        <MailMissing />
      </AccountLayout>
    );
  }
  return (
    <AccountLayout title={title} lead={lead} footer={footer(email)}>
      <AccountForm form={form} email={email} onSubmit={submit} submit="Send Link" sending="Sending...">
        <EmailField value={email} onChange={setEmail} />
      </AccountForm>
    </AccountLayout>
  );
}

const ask = (email: string, purpose: AskForLinkProps['purpose']): Promise<Outcome> =>
  withCode(anonymousCode, async ({ callAnonymously }): Promise<Outcome> => {
    const answer = await callAnonymously('mail-link', { body: { email, purpose } });
    if (answer.ok) return { kind: 'done' };
    return { kind: 'refused', message: answer.code === 'bad-request' ? EMAIL_INVALID : answer.sentence };
  });
