import { useEffect, useState } from 'react';
import { consequencesOf } from '../../plan/cancel-sentences.ts';
import { nameOf } from '../../../../schemas/product/known-plan.ts';
import { planLineOf } from '../../plan/plan-line.ts';
import { plans } from '../../../../schemas/product/offers.ts';
import { product } from '../../../../schemas/product/product.ts';
import type { EndContractResponse } from '../../../../schemas/shapes/end-contract.ts';
import type { Standing } from '../../../../schemas/shapes/standing.ts';
import { callAnonymously } from '../../api/call-anonymously.ts';
import { type Outcome, refused } from '../../account/outcome.ts';
import { ActionButton } from '../../components/account/action-button.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { MessageWaiting } from '../../components/message-waiting.tsx';
import { Message, type MessageProps } from '../../components/message.tsx';
import { PlanText } from '../../components/plan-text.tsx';
import { forgetRouterState } from '../../navigation/use-router-state.ts';
import { text } from '../../../../schemas/shapes/text.ts';

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
      const { standing } = answer.value;
      const shown = isOver(standing) ? name : nameOf(standing);
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

  if (done === 'withdraw' || isOver(contract.standing)) {
    return <Message takesFocus={done !== 'show'} {...endOf(name, done)} actions={<ToHome />} />;
  }
  return <Running key={contract.standing.kind} {...state} onAct={act} />;
}

type RunningProps = Omit<Shown, 'kind'> & { onAct: (action: Action) => Promise<Outcome> };

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
  const { standing } = contract;
  const isCancelled = standing.kind === 'ends';
  const { lead, rest } = planLineOf(standing) ?? { lead: [], rest: [] };
  const ended = done === 'cancel' ? CANCELLED : `${name} is canceled`;
  return (
    <Message
      title={isCancelled ? ended : 'End your contract'}
      takesFocus={done === 'cancel'}
      sign={isCancelled ? '=' : '?'}
      lead={<PlanText of={text`${lead}. ${rest}`} />}
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
      {isCancelled ? (
        <p>After that your account is on {plans.free.name}.</p>
      ) : (
        <Consequences standing={standing} />
      )}
      {done === 'cancel' && <Mailed />}
    </Message>
  );
}

const CANCELLED = 'Subscription Cancelled';

/** The kinds of a standing without a contract that could be ended. */
const OVER: ReadonlySet<Standing['kind']> = new Set(['free', 'processing', 'purchase-failed', 'lost']);

const isOver = ({ kind }: Standing): boolean => OVER.has(kind);

function Consequences({ standing }: { standing: Standing }) {
  const kind = standing.kind === 'complimentary' ? 'complimentary' : 'subscription';
  const { lead, details } = consequencesOf(kind, standing);
  return (
    <>
      <p>
        If you cancel: <PlanText of={lead} />
      </p>
      {details.map((paragraph, index) => (
        <p key={index}>
          <PlanText of={paragraph} />
        </p>
      ))}
    </>
  );
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
        lead: `${name} has ended. A payment that was due is not taken, or is refunded, and you won't be charged again.`,
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
