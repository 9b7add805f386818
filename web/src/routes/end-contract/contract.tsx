import { useEffect, useState } from 'react';
import { nameOf, offerOf } from '../../plan/known-plan.ts';
import { isPaid, plans } from '../../../../schemas/product/offers.ts';
import { product } from '../../../../schemas/product/product.ts';
import type { EndContractResponse } from '../../../../schemas/shapes/end-contract.ts';
import { callAnonymously } from '../../api/call-anonymously.ts';
import { type Outcome, refused } from '../../account/outcome.ts';
import { ActionButton } from '../../components/account/action-button.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { MessageWaiting } from '../../components/message-waiting.tsx';
import { Message, type MessageProps } from '../../components/message.tsx';
import { PlanText } from '../../components/plan-text.tsx';
import { forgetRouterState } from '../../navigation/use-router-state.ts';
import { day, text, type Text } from '../../plan/text.ts';

type Action = 'show' | 'cancel' | 'withdraw';

interface Shown {
  kind: 'shown';
  /** The name of the plan of the contract, also once it has ended. */
  name: string;
  contract: EndContractResponse;
  /** The user's last action on this page. */
  done?: Action;
}

type State = { kind: 'loading' } | { kind: 'unread'; sentence: string; isDead: boolean } | Shown;

/** The contract of the account that the token belongs to, with the ways to end it. */
export function Contract({ token, onAskAgain }: { token: string; onAskAgain: () => void }) {
  const [state, setState] = useState<State>({ kind: 'loading' });

  /** `name`: of the plan before the action. */
  const ask = async (action: Action, name = nameOf({})): Promise<State> => {
    const answer = await callAnonymously('end-contract', { body: { token, action } });
    if (answer.ok) {
      const { plan } = answer.value;
      const shown = isPaid(plan) ? nameOf({ plan }) : name;
      return { kind: 'shown', name: shown, contract: answer.value, done: action };
    }
    return {
      kind: 'unread',
      sentence: answer.sentence,
      isDead: answer.code === 'link-invalid',
    };
  };
  const show = () => {
    setState({ kind: 'loading' });
    void ask('show').then(setState);
  };
  // oxlint-disable-next-line react/exhaustive-deps -- A page with another token is another component.
  useEffect(show, []);

  if (state.kind === 'loading') return <MessageWaiting>Loading your contract...</MessageWaiting>;
  if (state.kind === 'unread') {
    return (
      <Message
        title="We couldn't open your contract"
        takesFocus
        sign="!"
        lead={state.sentence}
        actions={
          <Button onClick={state.isDead ? onAskAgain : show}>
            {state.isDead ? 'Ask for a New Link' : 'Try Again'}
          </Button>
        }
      />
    );
  }

  const { name, contract, done } = state;
  const act = async (action: Action): Promise<Outcome> => {
    const next = await ask(action, name);
    if (next.kind === 'shown') forgetRouterState('/end-contract', window);
    // Another tab may have ended the contract, and the answer of a request that was carried out may be lost.
    setState(next.kind === 'shown' ? next : await ask('show', name));
    return next.kind === 'unread' ? refused(next.sentence) : { kind: 'done' };
  };

  if (done === 'withdraw' || contract.state === 'none') {
    return <Message takesFocus={done !== 'show'} {...endOf(name, done)} actions={<ToHome />} />;
  }
  return <Running key={contract.state} {...state} onAct={act} />;
}

type RunningProps = Omit<Shown, 'kind'> & { onAct: (action: Action) => Promise<Outcome> };

/** A contract that can be cancelled or withdrawn from, or that ends by itself. */
function Running({ name, contract, done, onAct }: RunningProps) {
  const [withdraws, setWithdraws] = useState(false);
  if (withdraws && contract.withdrawUntil) {
    return (
      <Message
        key="withdraws"
        title="Withdraw from your contract"
        takesFocus
        sign="?"
        lead={`${name} ends at once, and everything you paid for this contract is refunded.`}
        actions={
          <>
            <ActionButton work={() => onAct('withdraw')} busy="Withdrawing...">
              Confirm Withdrawal
            </ActionButton>
            <Button tone="secondary" onClick={() => setWithdraws(false)}>
              Go Back
            </Button>
          </>
        }
      />
    );
  }
  const isCancelled = contract.state === 'ends';
  const ended = done === 'cancel' ? CANCELLED : `${name} is canceled`;
  return (
    <Message
      title={isCancelled ? ended : 'End your contract'}
      takesFocus={done === 'cancel'}
      sign={isCancelled ? '=' : '?'}
      lead={<PlanText of={leadOf(contract)} />}
      actions={
        <>
          {isCancelled ? (
            <ToHome />
          ) : (
            <ActionButton work={() => onAct('cancel')} busy="Canceling...">
              Cancel My Subscription
            </ActionButton>
          )}
          {contract.withdrawUntil && (
            <Button tone="secondary" onClick={() => setWithdraws(true)}>
              Withdraw from Contract Here
            </Button>
          )}
        </>
      }
    >
      {done === 'cancel' && <Mailed />}
    </Message>
  );
}

const CANCELLED = 'Subscription Cancelled';

function leadOf({ plan, state, until }: EndContractResponse): Text {
  const { name, price, period } = offerOf(isPaid(plan) ? { plan } : {});
  const end = until === null ? 'the end of this month' : day(until);
  switch (state) {
    case 'ends':
      return text`You have ${name} until ${end}. After that your account is on ${plans.free.name}, and you won't be charged again.`;
    case 'complimentary':
      return text`Your ${name} is complimentary, and nothing is charged. If you cancel, you keep it until ${end}.`;
    case 'due':
      return text`You have ${name}, at ${price} ${period}, and a payment is due. If you cancel, ${name} ends at once, and the payment is not taken.`;
    case 'paused':
      return text`Your ${name} is paused by our support, and nothing is charged until it resumes. If you cancel, it ends at once.`;
    default:
      return text`You have ${name}, at ${price} ${period}. If you cancel, you keep it until ${end}, and won't be charged again.`;
  }
}

const Mailed = () => <p>We have emailed you a confirmation.</p>;

const ToHome = () => <ButtonLink to="/">Go to Home Page</ButtonLink>;

/** A contract that is over. `name`: its plan's, which the user's last action has ended. */
function endOf(name: string, done: Action | undefined): MessageProps {
  switch (done) {
    case 'withdraw':
      return {
        title: 'You have withdrawn',
        sign: '=',
        lead: `${name} has ended. Everything you paid for this contract is refunded to the card or account that paid: banks usually show it within ten days.`,
        children: <Mailed />,
      };
    case 'cancel':
      return {
        title: CANCELLED,
        sign: '=',
        lead: `${name} has ended. The payment that was due is not taken, and you won't be charged again.`,
        children: <Mailed />,
      };
    default:
      return {
        title: 'There is no contract to end',
        sign: '=',
        lead: `This account is on ${plans.free.name}, which costs nothing. Nothing is charged.`,
        children: (
          <p>
            To delete the account itself, sign in and open your dashboard, or write to {product.supportEmail}.
          </p>
        ),
      };
  }
}
