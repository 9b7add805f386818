import { useState } from 'react';
import { product } from '../../../../schemas/product/product.ts';
import { AccountForm } from '../../components/account/account-form.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { EmailField } from '../../components/account/email-field.tsx';
import { NameField } from '../../components/account/name-field.tsx';
import { EDITING, useAccountForm } from '../../components/account/use-account-form.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';
import { Notice } from '../../components/notice.tsx';
import { useTyped } from '../../navigation/use-typed.ts';
import { join } from './join.ts';

export default function WaitlistPage() {
  const [name, setName] = useTyped('name');
  const [email, setEmail] = useTyped('email');
  const [joined, setJoined] = useState<string>();
  const { state, edit, send } = useAccountForm();
  const faultOf = (field: 'name' | 'email') => {
    const fault = state.kind === 'refused' && state.reason === field ? state.message : null;
    return { fault, takesFocus: fault !== null };
  };
  // The field says it.
  const isFieldRefused = state.kind === 'refused' && state.reason !== undefined;

  const submit = async () => {
    const entry = { name: name.trim(), email: email.trim().toLowerCase() };
    const { kind } = await send(join(entry));
    if (kind === 'done') setJoined(entry.email);
  };

  if (joined !== undefined) return <Joined email={joined} />;
  return (
    <AccountLayout
      title="Windows Waitlist"
      lead={`${product.name} runs on Mac for now. Leave your name and email address, and we’ll write when it runs on Windows.`}
    >
      <noscript>
        <Notice>
          This form needs JavaScript to be sent. Without it, write to{' '}
          <a href={`mailto:${product.supportEmail}?subject=Windows%20Waitlist`}>{product.supportEmail}</a>,
          and we will put you on the list.
        </Notice>
      </noscript>
      <AccountForm
        form={{ state: isFieldRefused ? EDITING : state, edit }}
        onSubmit={submit}
        submit="Join the Waitlist"
        sending="Joining..."
      >
        <NameField label="Name" value={name} onChange={setName} {...faultOf('name')} />
        <EmailField autoComplete="email" value={email} onChange={setEmail} {...faultOf('email')} />
      </AccountForm>
    </AccountLayout>
  );
}

const Joined = ({ email }: { email: string }) => (
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
