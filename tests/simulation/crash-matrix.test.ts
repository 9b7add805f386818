import { afterAll, describe, expect, test, vi } from 'vitest';
import type { Deed } from './history.ts';
import { runningContracts } from './subscriber.ts';
import { Tally } from './counters.ts';
import { type Blow, blows, type Call, type Ended, type Strike } from './turns.ts';
import { World } from './world.ts';

vi.spyOn(console, 'info').mockImplementation(() => {});
vi.spyOn(console, 'error').mockImplementation(() => {});

interface Scene {
  handler: string;
  /** What has happened before. */
  before: readonly Deed[];
  deed: (world: World) => Deed;
  /** What was asked for, once whoever asked has had an answer. */
  achieved: (world: World) => boolean;
  /** What they do then, to see that it was worth it. */
  after?: readonly Deed[];
}

const open: Deed = { do: 'open a checkout' };
const pay: Deed = { do: 'pay', session: 0, card: 'pays' };
const back: Deed = { do: 'return', session: 0, who: 'ada' };
const read: Deed = { do: 'read the plan' };
const cancel: Deed = { do: 'cancel', what: 'what the page shows', who: 'ada' };
const portal: Deed = { do: 'cancel in the portal', hours: undefined };
const anotherOpens: Deed = { do: 'a second checkout opens' };
const subscribed = [open, pay, back] as const;
const twice = [open, anotherOpens, pay, back, { do: 'pay', session: 1, card: 'pays' }] as const;

const contracts = (world: World) => runningContracts(world.model(), world.seconds);
const onPlus = (world: World): boolean => contracts(world).length === 1;
const ending = (world: World): boolean => contracts(world)[0]?.[1].endsAt !== undefined;
const renewing = (world: World): boolean => contracts(world).length === 1 && !ending(world);
const gone = (world: World): boolean => !world.exists;
const free = (world: World): boolean => contracts(world).length === 0;

const scenes: Scene[] = [
  { handler: 'create-checkout-session', before: [], deed: () => open, achieved: onPlus, after: [pay] },
  {
    handler: 'create-checkout-session, one is open',
    before: [open],
    deed: () => open,
    achieved: onPlus,
    after: [pay],
  },
  {
    handler: 'create-checkout-session, after an end',
    before: [...subscribed, { do: 'support ends it' }],
    deed: () => open,
    achieved: onPlus,
    after: [pay],
  },
  { handler: 'session-status', before: [open, pay], deed: () => back, achieved: onPlus },
  { handler: 'session-status, paid twice', before: [...twice], deed: () => back, achieved: onPlus },
  {
    handler: 'stripe-webhook',
    before: [open, pay],
    deed: (world) => ({ do: 'deliver', event: world.onItsWay('checkout.session.completed'), keep: false }),
    achieved: onPlus,
  },
  {
    handler: 'stripe-webhook, paid twice',
    before: [...twice],
    deed: (world) => ({ do: 'deliver', event: world.onItsWay('invoice.paid'), keep: false }),
    achieved: onPlus,
  },
  { handler: 'cancel-subscription', before: subscribed, deed: () => cancel, achieved: ending },
  {
    handler: 'cancel-subscription, a gift',
    before: [{ do: 'support gives Plus', hours: undefined }],
    deed: () => ({ do: 'cancel', what: 'a gift', who: 'ada' }),
    achieved: (world) => world.row()?.plan_expires_at !== undefined,
  },
  {
    handler: 'renew-subscription',
    before: [...subscribed, cancel],
    deed: () => ({ do: 'renew' }),
    achieved: renewing,
  },
  {
    handler: 'renew-subscription, ended in the portal',
    before: [...subscribed, portal],
    deed: () => ({ do: 'renew' }),
    achieved: renewing,
  },
  {
    handler: 'plan, expired and renewed in the portal',
    // The catch-up of the 25th day has been and gone; the first renewal is on the 31st.
    before: [
      ...subscribed,
      { do: 'time passes', hours: 26 * 24 },
      cancel,
      { do: 'renew in the portal' },
      { do: 'time passes', hours: 6 * 24 },
    ],
    deed: () => read,
    achieved: onPlus,
  },
  {
    handler: 'plan, expired',
    before: [...subscribed, cancel, { do: 'time passes', hours: 32 * 24 }],
    deed: () => read,
    achieved: free,
  },
  {
    handler: 'delete-account',
    before: subscribed,
    deed: () => ({ do: 'delete the account' }),
    achieved: gone,
  },
  {
    handler: 'delete-account, a checkout is open',
    before: [open],
    deed: () => ({ do: 'delete the account' }),
    achieved: gone,
    after: [pay],
  },
  {
    handler: 'expiry-sweep',
    before: [...subscribed, cancel, { do: 'time passes', hours: 32 * 24 }],
    deed: () => ({ do: 'sweep' }),
    achieved: free,
  },
  { handler: 'event-catch-up', before: [open, pay], deed: () => ({ do: 'catch up' }), achieved: onPlus },
  {
    handler: 'event-catch-up, paid twice',
    before: [...twice],
    deed: () => ({ do: 'catch up' }),
    achieved: onPlus,
  },
];

const tally = new Tally();

const worldOf = async ({ before }: Scene): Promise<World> => {
  const world = new World({ start: '2030-01-15T12:00:00.000Z', hourly: false, tally });
  for (const deed of before) {
    await world.step({ deed, strike: undefined, beside: undefined, turns: [], post: 'later' });
  }
  return world;
};

const heard = (ended: Ended<number | undefined>): string => {
  switch (ended.kind) {
    case 'answered':
      return String(ended.value ?? 'done');
    case 'threw':
      return 'failed';
    default:
      return 'no answer';
  }
};

/** What the caller heard, once what follows has come out right: they ask again where they heard no 200, and no webhook comes. */
async function outcome(scene: Scene, strike: Strike | undefined): Promise<{ said: string; calls: Call[] }> {
  const world = await worldOf(scene);
  try {
    const deed = scene.deed(world);
    const { ended, actor } = await world.alone(deed, strike);
    const said = heard(ended);
    if (said !== '200' && said !== 'done') await world.alone(deed);
    for (const next of scene.after ?? []) await world.alone(next);
    await world.settle();
    if (!scene.achieved(world)) throw new Error('What was asked for has not come about.');
    return { said, calls: actor.calls };
  } finally {
    world.end();
  }
}

const table: string[] = [];
const line = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 14))
    .join(' ')
    .trimEnd();
const widths = [43, 4, 46, 14, 14, 14, 14, 14];

afterAll(() => {
  const head = line(['handler', 'step', 'call', ...blows], widths);
  // What the caller heard; every one of them came out right afterwards.
  process.stdout.write(`\n${[head, ...table].join('\n')}\n`);
});

describe('every step of every handler, struck before and after', () => {
  test.each(scenes)('$handler comes out right', async (scene) => {
    const { calls, said } = await outcome(scene, undefined);
    expect(calls.length).toBeGreaterThan(0);
    expect(['200', 'done']).toContain(said);
    const wrong: string[] = [];
    for (const [at, { party, name }] of calls.entries()) {
      const cells: string[] = [];
      for (const blow of blows) cells.push(await cell(scene, at, blow, wrong));
      table.push(line([at === 0 ? scene.handler : '', String(at + 1), `${party} ${name}`, ...cells], widths));
    }
    expect(wrong).toEqual([]);
  });
});

async function cell(scene: Scene, at: number, blow: Blow, wrong: string[]): Promise<string> {
  try {
    return (await outcome(scene, { at, blow })).said;
  } catch (error) {
    wrong.push(`step ${at + 1} ${blow}: ${error instanceof Error ? error.message : String(error)}`);
    return 'WRONG';
  }
}
