import { useState } from 'react';
import { Link } from 'react-router-dom';
import { paidNames } from '../../../../schemas/product/offers.ts';
import { product } from '../../../../schemas/product/product.ts';
import type { UndoEmailResponse } from '../../../../schemas/rows/address-change.ts';
import { callAnonymously } from '../../api/call-anonymously.ts';
import styles from '../../components/account/account.module.css';
import { AccountForm } from '../../components/account/account-form.tsx';
import { AccountLayout } from '../../components/account/account-layout.tsx';
import { EDITING, type FormState } from '../../components/account/use-account-form.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Message } from '../../components/message.tsx';
import { Notice } from '../../components/notice.tsx';
import { useTokenInHash } from '../../navigation/use-token-in-hash.ts';

export default function UndoEmailPage() {
  const [token] = useTokenInHash('/undo-email');
  return token ? (
    <Undo key={token} token={token} />
  ) : (
    <Message
      title="This link is not complete"
      sign="!"
      lead="Press the button in our email once more, or copy the whole address."
      actions={
        <ButtonLink to="/forgot-password" tone="secondary">
          Choose a New Password
        </ButtonLink>
      }
    >
      <p>
        If you have undone the change already, there is nothing left to do here. If that doesn't help, write
        to <SupportAddress />.
      </p>
    </Message>
  );
}

type State = FormState | { kind: 'answered'; answer: UndoEmailResponse } | { kind: 'dead'; message: string };

function Undo({ token }: { token: string }) {
  const [state, setState] = useState<State>(EDITING);

  // A press is needed: mail scanners open links.
  const undo = async () => {
    setState({ kind: 'sending' });
    const answer = await callAnonymously('undo-email', { body: { token } });
    if (answer.ok) return setState({ kind: 'answered', answer: answer.value });
    const kind = answer.code === 'undo-not-possible' ? 'dead' : 'refused';
    return setState({ kind, message: answer.sentence });
  };

  if (state.kind === 'answered') {
    return state.answer.outcome === 'locked' ? <Locked /> : <Restored {...state.answer} />;
  }
  if (state.kind === 'dead') return <Dead message={state.message} />;
  return (
    <AccountLayout
      title="Take your account back"
      lead={`Our email told you what was done to your ${product.name} account. If it wasn't you, or if you have changed your mind, undo it here.`}
    >
      <ol className={styles.Steps}>
        <li>The account gets the address that our email came to, and is not deleted.</li>
        <li>Every session is ended, and ways to sign in that were added since are removed.</li>
        <li>The password stops working. We send a link for a new one to that address.</li>
      </ol>
      <AccountForm
        form={{ state, edit: () => {} }}
        onSubmit={undo}
        submit="Take It Back"
        sending="Taking it back..."
      >
        {null}
      </AccountForm>
    </AccountLayout>
  );
}

const SupportAddress = () => <a href={`mailto:${product.supportEmail}`}>{product.supportEmail}</a>;

const Dead = ({ message }: { message: string }) => (
  <Message title="Nothing to undo" takesFocus lead={message}>
    <p>
      If you have just used it, <Link to="/forgot-password">choose a new password</Link>. Otherwise write to{' '}
      <SupportAddress />.
    </p>
  </Message>
);

const Restored = ({ deletionStopped, passwordMailed }: UndoEmailResponse) => (
  <Message
    title="Your account is yours again"
    takesFocus
    sign="="
    lead={`The account has the address that got our email${deletionStopped ? ', and will not be deleted' : ''}. Everyone is signed out; a device that is in use right now may take fifteen minutes to notice.`}
    actions={
      passwordMailed ? (
        <ButtonLink to="/forgot-password">Choose a New Password</ButtonLink>
      ) : (
        <ButtonLink to="/login">Sign In</ButtonLink>
      )
    }
  >
    <ol className={styles.Steps}>
      <li>
        {passwordMailed
          ? 'Open the email that we have just sent to that address, and choose a new password.'
          : 'Sign in as you did before.'}
      </li>
      <li>Choose a new password for your mailbox, too, if someone else may read your email.</li>
      {deletionStopped && <li>If you had {paidNames}, check on your dashboard whether it continues.</li>}
    </ol>
    {passwordMailed && <p>No email? Ask for another link.</p>}
  </Message>
);

const Locked = () => (
  <Message title="Your account is locked" takesFocus sign="!">
    <Notice tone="danger">
      Another account has your earlier address now, perhaps one that you opened yourself. So we could not
      restore the address. Nobody can sign in to the first account anymore.
    </Notice>
    <p>
      Delete the other account and press the button in our email once more, or write to <SupportAddress />.
    </p>
  </Message>
);
