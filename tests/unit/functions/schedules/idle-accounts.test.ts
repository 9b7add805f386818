import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DAILY_LEAST, feedIdle, handler, listIdle } from '../../../../functions/schedules/idle-accounts.ts';
import { backgroundFunctions } from '../../../../schemas/background-functions.ts';
import { environmentSchemas } from '../../../../schemas/config/environment.ts';
import { IdleWorld } from '../../../fixtures/fakes/idle-world.ts';
import { NthCallHook } from '../../../fixtures/fakes/nth-call-hook.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';
import { CANCELED } from '../../../fixtures/fakes/memory-billing.ts';

const log = watchLog();
let world: IdleWorld;
beforeEach(async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  world = new IdleWorld();
  await world.signUp('ada');
});

describe('an account that nobody signs in to', () => {
  test('is warned 30 days and 7 days before it is deleted, after a year, and gives its address free', async () => {
    await world.live(334);
    expect(world.mailsTo('ada')).toEqual([]);
    await world.live(1);
    expect(world.mailsTo('ada')).toEqual(['Your Selfsame account will be deleted on January 20, 2027']);
    await world.live(22);
    expect(world.mailsTo('ada')).toHaveLength(1);
    await world.live(1);
    expect(world.mailsTo('ada').slice(1)).toEqual([
      'Last notice: your Selfsame account will be deleted on January 20, 2027',
    ]);
    await world.live(6);
    expect(world.exists('ada')).toBe(true);
    await world.live(1);
    expect(world.isGone('ada')).toBe(true);
    expect(world.mailsTo('ada').slice(2)).toEqual(['Your Selfsame account was deleted']);
    expect(await world.addresses.ownerOf('ada@example.com')).toBeUndefined();
  });

  test('and never bought is deleted without a word to Stripe, told why, and logged by its id alone', async () => {
    world.billing.down = true;
    await world.untilDeletion();
    await world.run();
    expect(world.isGone('ada')).toBe(true);
    const text = world.mail.sent.at(-1)?.email.text;
    expect(text).toContain('No one signed in for a year');
    expect(text).not.toContain('subscription');
    expect(log.text()).not.toContain('@');
    expect(log.lines).toContainEqual({ event: 'idle-account-deleted', user: 'ada' });
    const warned = { user: 'ada', warning: 2, deletedAfter: '2027-01-20T09:20:00.000Z' };
    expect(log.lines).toContainEqual({ event: 'idle-account-warned', ...warned });
  });

  test("is found by sub and deleted by its user name, if a provider's sign-in made it", async () => {
    await world.signUp('eve', { username: 'google_99', status: 'EXTERNAL_PROVIDER' });
    const remove = vi.spyOn(world.userPool, 'remove');
    await world.untilDeletion();
    await world.run();
    expect(world.isGone('eve')).toBe(true);
    expect(remove).toHaveBeenCalledWith('google_99');
    expect(await world.addresses.ownerOf('eve@example.com')).toBeUndefined();
  });

  test('takes what is left of its customer at Stripe with it', async () => {
    const customer = world.customerOf('ada');
    world.billing.subscribe(customer, { state: CANCELED, invoicesVoided: true });
    await world.untilDeletion();
    await world.run();
    expect(world.isGone('ada')).toBe(true);
    expect([...world.billing.customers]).toEqual([]);
  });
});

describe('what is asked and written', () => {
  test('of the user pool: nothing, for an account on Plus, which is not due again for eleven months', async () => {
    const findBySub = vi.spyOn(world.userPool, 'findBySub');
    world.planTable.put({ ...world.planTable.rows.get('ada'), id: 'ada', plan: 'plus', idle_warnings: 1 });
    world.pass(335);
    expect(await world.run()).toMatchObject({ kept: 1 });
    expect(findBySub).not.toHaveBeenCalled();
    const year = { idle_due_at: '2027-11-21T09:20:00.000Z', idle_warnings: 0 };
    expect(world.planTable.rows.get('ada')).toMatchObject(year);
  });

  test('about the plan: no decision, where Stripe says nothing new', async () => {
    world.customerOf('ada');
    const { version } = world.planTable.rows.get('ada') ?? {};
    world.pass(335);
    expect(await world.run()).toMatchObject({ warned: 1 });
    expect(world.planTable.rows.get('ada')?.version).toBe(version);
  });

  test('nothing, for a row that is removed while the index still lists it', async () => {
    vi.spyOn(world.idle, 'due').mockImplementation(async function* (shard) {
      if (shard === 0) yield ['ghost'];
    });
    expect(await world.run()).toMatchObject({ none: 1 });
    expect([...world.planTable.rows.keys()]).toEqual(['ada']);
  });
});

describe('an account on Plus', () => {
  /** Ada's checkout, which is open when the deletion is due. */
  const openCheckout = async (): Promise<string> => {
    await world.untilDeletion();
    const checkout = await world.billing.createSession({ customerId: world.customerOf('ada') });
    await world.planTable.adoptCheckout('ada', String(checkout?.id), undefined, world.now);
    return String(checkout?.id);
  };

  test('is kept if its checkout is paid just before its row is closed', async () => {
    const checkout = await openCheckout();
    const close = world.idle.close.bind(world.idle);
    vi.spyOn(world.idle, 'close').mockImplementation(async (row, until) => {
      world.billing.pay(checkout);
      return close(row, until);
    });
    await world.run();
    expect(world.exists('ada')).toBe(true);
    expect(world.planTable.rows.get('ada')?.plan).toBe('plus');
    expect([...world.billing.subscriptions.values()].map(({ state }) => state.kind)).toEqual(['active']);
  });

  test('cannot be bought any more once the row is closed', async () => {
    const checkout = await openCheckout();
    const subscriptionsOf = world.billing.subscriptionsOf.bind(world.billing);
    vi.spyOn(world.billing, 'subscriptionsOf').mockImplementation(async (...asked) => {
      world.billing.pay(checkout);
      return subscriptionsOf(...asked);
    });
    await world.run();
    expect(world.isGone('ada')).toBe(true);
    expect([...world.billing.subscriptions.values()]).toEqual([]);
  });
});

describe('a sign-in during a run', () => {
  test('keeps the account, whenever it is recorded before the user is deleted', async () => {
    const kept: boolean[] = [];
    for (let n = 1; ; n += 1) {
      world = new IdleWorld();
      await world.signUp('ada');
      await world.untilDeletion();
      const hook = new NthCallHook(n, async () => {
        if (world.hasUser('ada')) await world.signIn('ada');
      });
      const { planTable, idle } = world;
      const writes = hook.wrap({ move: idle.move.bind(idle), close: idle.close.bind(idle) });
      const ports = { planTable: hook.wrap(planTable), idle: { ...idle, ...writes } };
      const outcomes = await Object.assign(Object.create(world) as IdleWorld, ports).run();
      if (!hook.hasRun) break;
      kept.push(world.exists('ada'));
      expect(outcomes.deleted).toBe(world.exists('ada') ? 0 : 1);
    }
    // The call at which the row was closed, or was to be.
    expect(log.of('idle-account-kept')).toHaveLength(2);
    // Before each of: read, close, clear. Then the user is deleted, and the row removed.
    expect(kept).toEqual([true, true, true, false]);
  });

  test('before the first mail is counted stops the warnings', async () => {
    world.pass(335);
    const send = world.mail.send.bind(world.mail);
    vi.spyOn(world.mail, 'send').mockImplementationOnce(async (to, email) => {
      await send(to, email);
      await world.signIn('ada');
    });
    await world.run();
    await world.live(334);
    expect(world.mail.sent).toHaveLength(1);
    expect(world.planTable.rows.get('ada')?.idle_warnings).toBeUndefined();
  });
});

describe('what fails', () => {
  test('without a mail that was certainly sent nothing is deleted, and a mail goes out once a week', async () => {
    world.mail.down = true;
    const attempts = vi.spyOn(world.mail, 'send');
    await world.live(335 + 70);
    expect(attempts).toHaveBeenCalledTimes(11);
    expect(world.exists('ada')).toBe(true);
    world.mail.down = false;
    await world.live(7);
    expect(world.mail.sent).toHaveLength(1);
    await world.live(29);
    expect(world.exists('ada')).toBe(true);
    await world.live(1);
    expect(world.isGone('ada')).toBe(true);
  });

  test('a deletion that Stripe or the pool refuses is reported, and done by a later run', async () => {
    world.customerOf('ada');
    await world.untilDeletion();
    world.billing.down = true;
    await expect(world.run()).rejects.toThrow('Stripe is out of reach.');
    expect(world.exists('ada')).toBe(true);
    world.billing.down = false;
    world.pass(1);
    vi.spyOn(world.userPool, 'remove').mockRejectedValueOnce(new Error('Too many requests.'));
    await expect(world.run()).rejects.toThrow('Too many requests.');
    expect(world.exists('ada')).toBe(true);
    await world.live(1);
    expect(world.isGone('ada')).toBe(true);
  });

  test('a deletion under way is left to the next run, and reported', async () => {
    world.pass(335);
    const row = { ...world.planTable.rows.get('ada'), id: 'ada' };
    world.planTable.put({ ...row, closing_until: new Date(world.now.getTime() + 60_000).toISOString() });
    await expect(world.run()).rejects.toThrow('The account ada is being deleted.');
  });

  test('a row that changes before its warning gets none', async () => {
    world.pass(335);
    vi.spyOn(world.idle, 'move').mockResolvedValueOnce(undefined);
    expect(await world.run()).toMatchObject({ none: 1 });
    expect(world.mail.sent).toEqual([]);
  });

  test('nothing is sent while messages of the run before wait', async () => {
    world.pass(335);
    expect(await feedIdle(world)()).toEqual({ sent: 1, unfinished: false });
    expect(await feedIdle(world)()).toEqual({ sent: 0, unfinished: true });
    expect(world.queue.messages).toHaveLength(1);
  });
});

describe('a row and a user without each other', () => {
  test('a row without a user is removed', async () => {
    world.userPool.accounts.clear();
    world.pass(335);
    expect(await world.run()).toMatchObject({ removed: 1 });
    expect(log.lines).toContainEqual({ event: 'row-without-user', user: 'ada' });
    expect([...world.planTable.rows]).toEqual([]);
    expect(world.mail.sent).toEqual([]);
  });

  test('a row without a user but with a customer is left to the billing tasks, which look again', async () => {
    world.customerOf('ada');
    world.userPool.accounts.clear();
    world.pass(335);
    await world.run();
    const task = { work: 'check-user-again', customer_id: 'cus_ada' };
    expect([...world.tasks.items.values()]).toMatchObject([task]);
    expect(world.planTable.rows.has('ada')).toBe(true);
    expect(await world.run()).toMatchObject({ removed: 0 });
  });

  test.each([{ emailVerified: false }, { email: undefined }])(
    'an account without a verified address (%j) is not deleted, and logged once a year',
    async (fields) => {
      await world.signUp('eve', fields);
      await world.signIn('ada');
      await world.live(340);
      expect(world.exists('eve')).toBe(true);
      expect(world.mailsTo('eve')).toEqual([]);
      expect(log.of('idle-account-unreachable')).toHaveLength(1);
    },
  );
});

describe('the limits of a day', () => {
  test('a hundred deletions at least, an alarm, and the rest on later days', async () => {
    for (let index = 0; index < DAILY_LEAST + 20; index += 1) await world.signUp(`user-${index}`);
    world.pass(365);
    for (const row of world.planTable.rows.values()) world.planTable.put({ ...row, idle_warnings: 2 });
    await world.signIn('ada');
    expect(await world.run()).toMatchObject({ deleted: 100 });
    expect(log.of('idle-jump')).toEqual([]);
    // The next run of the day finds what the limit has left, and the jump.
    expect(await world.run()).toMatchObject({ deleted: 0 });
    expect(log.lines).toContainEqual({ event: 'idle-jump', step: 'delete', today: 100, busiest: 0 });
    world.pass(1);
    expect(await world.run()).toMatchObject({ deleted: 20 });
    expect(world.exists('ada')).toBe(true);
  });

  test('one in a hundred of all accounts', async () => {
    vi.spyOn(world.idle, 'count').mockResolvedValue(10_499);
    world.pass(335);
    await feedIdle(world)();
    expect(world.queue.messages).toEqual([{ task: 'idle', user: 'ada', limit: 104 }]);
  });

  test('numbers as high as in the week before raise no alarm', async () => {
    for (let day = 0; day < 9; day += 1) {
      for (let step = 0; step < 60; step += 1) await world.steps.take('warn', 100, world.now);
      await feedIdle(world)();
      expect(log.of('idle-jump')).toHaveLength(1);
      world.pass(1);
    }
  });

  test('two runs at once warn each owner once, and delete each account with one mail', async () => {
    world.pass(335);
    await Promise.all([world.run(), world.run()]);
    expect(world.mail.sent).toHaveLength(1);
    world.pass(23);
    await Promise.all([world.run(), world.run()]);
    expect(world.mail.sent).toHaveLength(2);
    world.pass(7);
    await Promise.allSettled([world.run(), world.run()]);
    expect(world.mail.sent).toHaveLength(3);
    expect(world.isGone('ada')).toBe(true);
  });
});

describe('a dry run', () => {
  test('lists what is due within so many days, the earliest first, by ids and dates, and changes nothing', async () => {
    world.pass(10);
    await world.signUp('bob');
    const before = structuredClone(world.planTable.rows);
    world.pass(330);
    const list = listIdle(world);
    const ada = { id: 'ada', due: '2026-12-21T09:20:00.000Z', lastSignInAt: '2026-01-20T09:20:00.000Z' };
    const bob = { id: 'bob', due: '2026-12-31T09:20:00.000Z', lastSignInAt: '2026-01-30T09:20:00.000Z' };
    const accounts = [ada, bob].map((account) => ({ ...account, step: 'warn', warnings: 0 }));
    expect(await list(5)).toEqual({ accounts, more: false });
    expect((await list(0)).accounts.map(({ id }) => id)).toEqual(['ada']);
    expect(world.planTable.rows).toEqual(before);
    expect(world.mail.sent).toEqual([]);
  });

  test.each([{}, { dryRun: true }, { task: 'dry-rum' }, { task: 'feed', dryRun: true }, null, 'dry-run'])(
    'that is misspelt as %j is refused before anything is done',
    async (event) => {
      for (const name of Object.keys(environmentSchemas(backgroundFunctions['schedules/idle-accounts']))) {
        vi.stubEnv(name, name.endsWith('QUEUE') ? 'http://127.0.0.1:9' : 'us-east-1_none');
      }
      await expect(handler(event, {} as never)).rejects.toMatchObject({ name: '$ZodError' });
      vi.unstubAllEnvs();
    },
  );
});

test('a row that a deletion has made and left is removed after a year', async () => {
  await world.planTable.close('left', world.clock().toISOString());
  await world.live(334);
  expect(world.planTable.rows.has('left')).toBe(true);
  await world.live(31);
  expect(world.planTable.rows.has('left')).toBe(false);
});
