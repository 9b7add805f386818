import { describe, expect, test } from 'vitest';
import { type DependencyCall, type Fault, type FaultKind, faultKinds, type Outcome } from './faults/fault.ts';
import type { Action, InstantAction } from './history/action.ts';
import { stepsWithoutFaults } from './history/history.ts';
import { Simulation } from './simulation.ts';

interface Scenario {
  handler: string;
  before: readonly Action[];
  /** The action that the faults hit. */
  action: (simulation: Simulation) => InstantAction;
  /**
   * Whether the action had its effect. Checked at the end, after an action without an answer was repeated.
   */
  achieved: (simulation: Simulation) => boolean;
  /** Actions between the repetition and the check. */
  after?: readonly InstantAction[];
}

const open = { type: 'open a checkout' } as const;
const pay = { type: 'pay', session: 0, card: 'pays' } as const;
const back = { type: 'return from checkout', session: 0, user: 'ada' } as const;
const cancel = { type: 'cancel', target: 'shown subscription', user: 'ada' } as const;
const portal = { type: 'cancel in the portal', hours: undefined } as const;
const secondOpens = { type: 'support opens a second checkout' } as const;
const subscribed = [open, pay, back] as const;
const paidTwice = [open, secondOpens, pay, back, { type: 'pay', session: 1, card: 'pays' }] as const;

const isOnPlus = ({ runningSubscriptions }: Simulation): boolean => runningSubscriptions.length === 1;
const isEnding = ({ runningSubscriptions }: Simulation): boolean =>
  runningSubscriptions[0]?.[1].endsAt !== undefined;
const isRenewing = (simulation: Simulation): boolean => isOnPlus(simulation) && !isEnding(simulation);
const isDeleted = ({ accountExists }: Simulation): boolean => !accountExists;
const isOnFree = ({ runningSubscriptions }: Simulation): boolean => runningSubscriptions.length === 0;

const scenarios: Scenario[] = [
  { handler: 'create-checkout-session', before: [], action: () => open, achieved: isOnPlus, after: [pay] },
  {
    handler: 'create-checkout-session, a session is open',
    before: [open],
    action: () => open,
    achieved: isOnPlus,
    after: [pay],
  },
  {
    handler: 'create-checkout-session, after an end',
    before: [...subscribed, { type: 'support ends the subscription' }],
    action: () => open,
    achieved: isOnPlus,
    after: [pay],
  },
  { handler: 'session-status', before: [open, pay], action: () => back, achieved: isOnPlus },
  { handler: 'session-status, paid twice', before: paidTwice, action: () => back, achieved: isOnPlus },
  {
    handler: 'stripe-webhook',
    before: [open, pay],
    action: (simulation) => ({
      type: 'deliver an event',
      event: simulation.undeliveredIndexOf('checkout.session.completed'),
      keep: false,
    }),
    achieved: isOnPlus,
  },
  {
    handler: 'stripe-webhook, paid twice',
    before: paidTwice,
    action: (simulation) => ({
      type: 'deliver an event',
      event: simulation.undeliveredIndexOf('invoice.paid'),
      keep: false,
    }),
    achieved: isOnPlus,
  },
  { handler: 'cancel-subscription', before: subscribed, action: () => cancel, achieved: isEnding },
  {
    handler: 'cancel-subscription, complimentary plan',
    before: [{ type: 'support grants a complimentary plan', hours: undefined }],
    action: () => ({ type: 'cancel', target: 'complimentary plan', user: 'ada' }),
    achieved: ({ row }) => row?.plan_expires_at !== undefined,
  },
  {
    handler: 'renew-subscription',
    before: [...subscribed, cancel],
    action: () => ({ type: 'renew' }),
    achieved: isRenewing,
  },
  {
    handler: 'renew-subscription, ended in the portal',
    before: [...subscribed, portal],
    action: () => ({ type: 'renew' }),
    achieved: isRenewing,
  },
  {
    handler: 'plan, expired and renewed in the portal',
    // After the catch-up on day 25 and before the first renewal on day 31.
    before: [
      ...subscribed,
      { type: 'time passes', hours: 26 * 24 },
      cancel,
      { type: 'renew in the portal' },
      { type: 'time passes', hours: 6 * 24 },
    ],
    action: () => ({ type: 'read the plan' }),
    achieved: isOnPlus,
  },
  {
    handler: 'plan, expired',
    before: [...subscribed, cancel, { type: 'time passes', hours: 32 * 24 }],
    action: () => ({ type: 'read the plan' }),
    achieved: isOnFree,
  },
  {
    handler: 'delete-account',
    // A payment in the second of the deletion would be refunded.
    before: [...subscribed, { type: 'time passes', hours: 1 }],
    action: () => ({ type: 'delete the account' }),
    achieved: isDeleted,
  },
  {
    handler: 'delete-account, a checkout is open',
    before: [open],
    action: () => ({ type: 'delete the account' }),
    achieved: isDeleted,
    after: [pay],
  },
  {
    handler: 'expiry-sweep',
    before: [...subscribed, cancel, { type: 'time passes', hours: 32 * 24 }],
    action: () => ({ type: 'run the expiry sweep' }),
    achieved: isOnFree,
  },
  {
    handler: 'event-catch-up',
    before: [open, pay],
    action: () => ({ type: 'run the event catch-up' }),
    achieved: isOnPlus,
  },
  {
    handler: 'event-catch-up, paid twice',
    before: paidTwice,
    action: () => ({ type: 'run the event catch-up' }),
    achieved: isOnPlus,
  },
];

const simulate = async (before: readonly Action[]): Promise<Simulation> => {
  const simulation = new Simulation({ start: '2030-01-15T12:00:00.000Z', hourly: false });
  for (const step of stepsWithoutFaults(before, 'later')) await simulation.step(step);
  return simulation;
};

const answerOf = (outcome: Outcome<number | undefined>): string => {
  switch (outcome.kind) {
    case 'answered':
      return String(outcome.value ?? 'done');
    case 'threw':
      return 'failed';
    default:
      return 'no answer';
  }
};

/**
 * Runs a scenario with a fault, repeats an action that was not answered with 200, loses every webhook and
 * checks the result. Resolves with the first answer.
 */
async function run(
  { before, action: actionIn, after = [], achieved }: Scenario,
  fault: Fault | undefined,
): Promise<{ answer: string; calls: DependencyCall[] }> {
  const simulation = await simulate(before);
  try {
    const action = actionIn(simulation);
    const { outcome, actor } = await simulation.perform(action, fault);
    const answer = answerOf(outcome);
    if (answer !== '200' && answer !== 'done') await simulation.perform(action);
    for (const next of after) await simulation.perform(next);
    await simulation.settle();
    if (!achieved(simulation)) throw new Error('The action had no effect.');
    return { answer, calls: actor.calls };
  } finally {
    simulation.end();
  }
}

/**
 * The faults of a call that leave different states. A crash before a call is one after the call before, and
 * what Stripe is asked changes nothing there, so that only the missing answer counts.
 */
function faultsOf({ dependency, name }: DependencyCall, at: number): readonly FaultKind[] {
  if (dependency === 'Stripe' && name.startsWith('GET ')) return ['fails before'];
  return faultKinds.filter((kind) => kind !== 'crashes before' || at === 0);
}

describe('after any fault at any call of a handler', () => {
  test.each(scenarios)('$handler has its effect', async (scenario) => {
    const { calls, answer } = await run(scenario, undefined);
    expect(calls.length).toBeGreaterThan(0);
    expect(['200', 'done']).toContain(answer);
    const failures: string[] = [];
    for (const [at, call] of calls.entries()) {
      for (const kind of faultsOf(call, at)) {
        await run(scenario, { at, kind }).catch((error: unknown) => {
          failures.push(`call ${at + 1}, ${call.dependency} ${call.name}, ${kind}: ${String(error)}`);
        });
      }
    }
    expect(failures).toEqual([]);
  });
});
