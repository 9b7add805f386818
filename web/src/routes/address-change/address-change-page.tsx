import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { product } from '../../../../schemas/product/product.ts';
import { retention } from '../../../../schemas/product/retention.ts';
import type { AddressChangeResponse } from '../../../../schemas/shapes/new-address.ts';
import { callAnonymously } from '../../api/call-anonymously.ts';
import { ActionButton } from '../../components/account/action-button.tsx';
import { type Outcome, refused } from '../../account/outcome.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Day } from '../../components/day.tsx';
import { Message, type MessageProps } from '../../components/message.tsx';
import { useTokenInHash } from '../../navigation/use-link-token.ts';
import { forgetRouterState } from '../../navigation/use-router-state.ts';

type Action = 'prove' | 'approve' | 'stop';

export default function AddressChangePage() {
  const token = useTokenInHash();
  const [query] = useSearchParams();
  if (token) return <Decision key={token} token={token} isNew={query.get('mailbox') === 'new'} />;
  return (
    <Message
      title="This link is not complete"
      sign="!"
      lead="Press the button in our email once more, or copy the whole address."
    />
  );
}

/** `isNew`: whether the link came to the new mailbox, and not to the account's present one. */
function Decision({ token, isNew }: { token: string; isNew: boolean }) {
  const [end, setEnd] = useState<MessageProps>();

  // A press is needed: mail scanners open links.
  const decide = async (action: Action): Promise<Outcome> => {
    const answer = await callAnonymously('address-change', { body: { token, action } });
    if (answer.ok) forgetRouterState('/address-change', window);
    if (answer.ok) setEnd(answered(answer.value));
    else if (answer.code === 'link-invalid') setEnd(dead);
    else if (answer.code === 'address-taken') setEnd(taken);
    else return refused(answer.sentence);
    return { kind: 'done' };
  };

  if (end) return <Message takesFocus {...end} />;
  const button = (action: Action, label: string, tone: 'primary' | 'secondary' = 'primary') => (
    <ActionButton tone={tone} work={() => decide(action)} busy="One moment...">
      {label}
    </ActionButton>
  );
  return isNew ? (
    <Message
      title="Confirm your new address"
      sign="?"
      lead={`Someone, hopefully you, wants to use this email address for their ${product.name} account.`}
      actions={button('prove', 'Use This Address')}
    >
      <p>If it wasn't you, close this page, and nothing changes.</p>
    </Message>
  ) : (
    <Message
      title="Change your address?"
      sign="?"
      lead={`Someone who is signed in to your ${product.name} account wants to use another email address in place of this one. Nothing has changed yet.`}
      actions={
        <>
          {button('approve', 'It Was Me: Change It')}
          {button('stop', 'Stop the Change', 'secondary')}
        </>
      }
    >
      <p>
        If you stop it, every session ends, and we send you a link for a new password. If you do neither, the
        address changes after {retention.daysToApprove} days, once the new mailbox has confirmed itself.
      </p>
    </Message>
  );
}

const dashboard = (
  <ButtonLink to="/dashboard" tone="secondary">
    Go to Dashboard
  </ButtonLink>
);

const NewPassword = ({ children }: { children: ReactNode }) => <Link to="/forgot-password">{children}</Link>;

const taken: MessageProps = {
  title: 'Your address stays as it is',
  sign: '!',
  lead: 'The new address has got an account of its own. To use it for yours, delete that account first.',
  actions: dashboard,
};

const dead: MessageProps = {
  title: 'This link no longer works',
  sign: '!',
  lead: 'The change was made, stopped, taken back or replaced, or the link is too old. Your dashboard shows which address you have.',
  actions: dashboard,
  children: (
    <p>
      If it wasn't you who asked for the change, <NewPassword>choose a new password</NewPassword>, or write to{' '}
      <a href={`mailto:${product.supportEmail}`}>{product.supportEmail}</a> if you can't get in.
    </p>
  ),
};

function answered({ state, isProved, changesAt }: AddressChangeResponse): MessageProps {
  switch (state) {
    case 'changed':
      return {
        title: 'Your address has changed',
        sign: '=',
        lead: 'From now on you sign in with the new address. Your password is the same.',
        actions: dashboard,
      };
    case 'reachable':
      return {
        title: 'Your address is confirmed',
        sign: '=',
        lead: 'Our emails reach you again.',
        actions: dashboard,
      };
    case 'waiting':
      return {
        title: 'One step is left',
        sign: '…',
        lead: isProved ? (
          <>
            Approve the change with our email to your present address. Without that, the address changes on{' '}
            {changesAt && <Day moment={changesAt} />}.
          </>
        ) : (
          'Confirm the new address with our email there. Its link works for a day.'
        ),
        actions: dashboard,
      };
    default:
      return {
        title: 'The change is stopped',
        sign: '=',
        lead: 'Your account keeps its address. Everyone is signed out; a device that is in use right now may take fifteen minutes to notice.',
        children: (
          <>
            <p>
              We have sent you a link for a new password. Choose a new one for your mailbox, too, if someone
              else may read your email.
            </p>
            <p>
              No email? <NewPassword>Ask for another link</NewPassword>.
            </p>
          </>
        ),
      };
  }
}
