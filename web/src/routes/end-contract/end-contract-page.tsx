import { useState } from 'react';
import { Link } from 'react-router-dom';
import { paidNames } from '../../../../schemas/product/offers.ts';
import { product } from '../../../../schemas/product/product.ts';
import { callAnonymously } from '../../api/call-anonymously.ts';
import { AccountForm } from '../../components/account/account-form.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { EmailField } from '../../components/account/email-field.tsx';
import { MailMissing } from '../../components/account/mail-missing.tsx';
import { useAccountForm } from '../../components/account/use-account-form.ts';
import { useTokenInHash } from '../../navigation/use-token-in-hash.ts';
import { useTypedAddress } from '../../navigation/use-typed-address.ts';
import { Contract } from './contract.tsx';

/** Ends a contract without a sign-in. The link of our mail has a token after the `#`. */
export default function EndContractPage() {
  const [token, forget] = useTokenInHash('/end-contract');
  return token ? <Contract key={token} token={token} onAskAgain={forget} /> : <AskForLink />;
}

function AskForLink() {
  const [email, setEmail] = useTypedAddress();
  const form = useAccountForm();
  const [isSent, setSent] = useState(false);

  const submit = async () => {
    const answer = callAnonymously('contract-mail', { body: { email } });
    const { kind } = await form.send(
      answer.then((given) =>
        given.ok ? { kind: 'done' as const } : { kind: 'refused' as const, message: given.sentence },
      ),
    );
    setSent(kind === 'done');
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
            If there is an account for <strong>{email.trim()}</strong>, a link to end its contract is on its
            way. It works for a day.
          </output>
        }
      >
        <p>Nothing there after a minute or two? Please look in your spam folder.</p>
        <MailMissing />
      </AccountLayout>
    );
  }
  return (
    <AccountLayout
      title="End your contract"
      lead={`You don't need to sign in to cancel ${product.name} ${paidNames}. Type the email address of your account, and we'll send you a link.`}
      footer={
        <p>
          Signed in? <Link to="/cancel">Cancel right away</Link>
        </p>
      }
    >
      <AccountForm form={form} onSubmit={submit} submit="Send Link" sending="Sending...">
        <EmailField value={email} onChange={setEmail} />
      </AccountForm>
    </AccountLayout>
  );
}
