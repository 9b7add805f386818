import { passTimeAtStripe } from '../actions/pass-time.ts';
import { performAction } from '../actions/perform-action.ts';
import { Actor } from '../faults/actor.ts';
import type { InstantAction } from '../history/action.ts';
import { HOUR } from '../world/limits.ts';
import type { World as RealWorld } from '../world/world.ts';
import { noPlan, type World } from './model.ts';

/** A beginning: in the model, and how to get there with the real handlers. */
export interface Beginning {
  world: Omit<World, 'actors' | 'product'>;
  prepare: (world: RealWorld) => Promise<void>;
}

const actors = {
  'the webhook': { program: 'reconcile' },
  'a payment and its webhook': { program: 'payment' },
  "the second tab's payment and its webhook": { program: 'payment', input: { target: 1 } },
  'the catch-up': { program: 'catchUp' },
  'the sweep': { program: 'sweep' },
  'a cancellation': { program: 'cancel' },
  'a tab that keeps Plus': { program: 'keep' },
  'a tab that buys': { program: 'tab' },
  'another tab that buys': { program: 'tab' },
  'the deletion': { program: 'deletion' },
};
export type ActorName = keyof typeof actors;
export type BeginningName = keyof typeof beginnings;

export const worldWith = (
  { world }: Beginning,
  names: readonly ActorName[],
  product: World['product'] = 'as deployed',
): World => ({
  ...world,
  product,
  actors: names.map((name) => ({ name, input: {}, answers: [], ...actors[name] })),
});

const row = { ...noPlan, session: 0, isClosing: false, isCleared: false, seen: 0 } as const;
const expired = { ...row, plan: 'plus', basis: 0, ends: 'before now' } as const;
const bought = { id: 0, duplicate: null, isClosed: false, isPaid: true, paidAt: -1 } as const;
const open = { status: 'open', isShown: true, isForeign: true } as const;
const untouched = { version: 1, userExists: true, customerExists: true, changes: 0, payments: 0 };

const perform = async (world: RealWorld, ...actions: InstantAction[]): Promise<void> => {
  for (const action of actions) await performAction(world, action, new Actor(), false);
};
const MONTH = 31 * 24 * HOUR;

/** Ada buys and cancels, and the catch-up runs an hour before Plus ends. */
async function buyAndCancel(world: RealWorld): Promise<void> {
  await perform(
    world,
    { type: 'open a checkout' },
    { type: 'pay', session: 0, card: 'pays' },
    { type: 'return from checkout', session: 0, user: 'ada' },
    { type: 'cancel', target: 'shown subscription', user: 'ada' },
  );
  passTimeAtStripe(world, MONTH - HOUR);
  await perform(world, { type: 'run the event catch-up' });
}

export const beginnings = {
  'Plus has ended, and no webhook came': {
    world: {
      ...untouched,
      row: expired,
      subscriptions: [{ ...bought, ends: 'before now', hasEnded: true }],
      sessions: [{ ...open, status: 'complete' }],
    },
    prepare: async (world) => {
      await buyAndCancel(world);
      passTimeAtStripe(world, 2 * HOUR);
    },
  },
  'Plus was renewed in the portal, and no webhook came': {
    world: {
      ...untouched,
      row: expired,
      subscriptions: [{ ...bought, ends: 'never', hasEnded: false }],
      sessions: [{ ...open, status: 'complete' }],
    },
    prepare: async (world) => {
      await buyAndCancel(world);
      await perform(world, { type: 'renew in the portal' });
      passTimeAtStripe(world, 3 * HOUR);
    },
  },
  'two checkouts are open': {
    world: { ...untouched, row, subscriptions: [], sessions: [open, open] },
    prepare: (world) =>
      perform(world, { type: 'open a checkout' }, { type: 'support opens a second checkout' }),
  },
} satisfies Record<string, Beginning>;
