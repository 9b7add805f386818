import { type ReactNode, useState } from 'react';
import { product } from '../../../../schemas/product/product.ts';
import { anonymousCode, withCode } from '../../account/with-code.ts';
import { EMAIL_INVALID } from '../../account/credentials.ts';
import { keepGoingTo } from '../../account/going-to.ts';
import type { Outcome } from '../../account/outcome.ts';
import { useCameFrom } from '../../navigation/use-came-from.ts';
import { useTyped } from '../../navigation/use-typed.ts';
import { ActionButton } from './action-button.tsx';
import { AccountForm } from './account-form.tsx';
import { AccountLayout } from './account-layout.tsx';
import { Notice } from '../notice.tsx';
import { EmailField } from './email-field.tsx';
import { useAccountForm } from './use-account-form.ts';

interface AskForLinkProps {
  purpose: 'reset' | 'end-contract';
  title: string;
  lead: string;
  /** The link's use, after `a link to`. */
  link: string;
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
        <p>
          Nothing there after a minute or two? Look in your spam folder, check the address above for a typo,
          and try any other address you may have signed up with.
        </p>
        <SpamNotice ask={() => ask(email, purpose, true)} />
        <p>
          If an email from us bounced, we can't send you any more. In that case, please write to{' '}
          <a href={`mailto:${product.supportEmail}`}>{product.supportEmail}</a>.
        </p>
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

/** After a complaint we mail only somebody who asks again. The page can't say whether there was one. */
function SpamNotice({ ask }: { ask: () => Promise<Outcome> }) {
  const [isAsked, setAsked] = useState(false);
  const again = async () => {
    const outcome = await ask();
    setAsked(outcome.kind === 'done');
    return outcome;
  };
  if (isAsked)
    return <Notice tone="success">If there is an account, the link is on its way once more.</Notice>;
  return (
    <>
      <p>If you have marked an email from us as spam, we don't send you this one, unless you ask again.</p>
      <ActionButton tone="secondary" work={again} busy="Sending...">
        Send It Again
      </ActionButton>
    </>
  );
}

const ask = (email: string, purpose: AskForLinkProps['purpose'], again = false): Promise<Outcome> =>
  withCode(anonymousCode, async ({ callAnonymously }): Promise<Outcome> => {
    const answer = await callAnonymously('mail-link', { body: { email, purpose, again } });
    if (answer.ok) return { kind: 'done' };
    return { kind: 'refused', message: answer.code === 'bad-request' ? EMAIL_INVALID : answer.sentence };
  });
