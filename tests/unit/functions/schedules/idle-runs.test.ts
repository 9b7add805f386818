import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  handler,
  LIMITS,
  listIdle,
  scheduleAll,
  sweepIdle,
} from '../../../../functions/schedules/idle-accounts.ts';
import { reconcile } from '../../../../functions/plans/reconcile.ts';
import { backgroundFunctions } from '../../../../schemas/background-functions.ts';
import { environmentSchemas } from '../../../../schemas/config/environment.ts';
import { IdleWorld } from '../../../fixtures/fakes/idle-world.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

const log = watchLog();
let world: IdleWorld;
beforeEach(async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  world = new IdleWorld();
  await world.signUp('ada');
});

const run = async () => (await sweepIdle(world)()).outcomes;
/** Runs the sweep each day. */
const live = async (days: number): Promise<void> => {
  for (let day = 0; day < days; day += 1) {
    world.pass(1);
    await run();
  }
};
/** Both warnings are sent, and the deletion is due. */
const untilDeletion = async (): Promise<void> => {
  world.pass(335);
  await run();
  world.pass(23);
  await run();
  world.pass(7);
};

describe('the limits of a run', () => {
  test('a hundred deletions, an alarm, and the rest on later days', async () => {
    const crowd = Array.from({ length: LIMITS.delete + 20 }, (_, index) => `user-${index}`);
    for (const id of crowd) await world.signUp(id);
    await world.signIn('ada');
    await untilDeletion();
    await world.signIn('ada');
    expect(await run()).toMatchObject({ deleted: LIMITS.delete });
    expect(log.lines).toContainEqual({
      event: 'idle-limit-reached',
      step: 'delete',
      limit: LIMITS.delete,
    });
    world.pass(1);
    expect(await run()).toMatchObject({ deleted: 20 });
    expect(world.exists('ada')).toBe(true);
  });

  test('two runs at once warn each owner once, and delete each account with one mail', async () => {
    world.pass(335);
    await Promise.all([run(), run()]);
    expect(world.mail.sent).toHaveLength(1);
    world.pass(23);
    await Promise.all([run(), run()]);
    expect(world.mail.sent).toHaveLength(2);
    world.pass(7);
    await Promise.allSettled([run(), run()]);
    expect(world.mail.sent).toHaveLength(3);
    expect(world.isGone('ada')).toBe(true);
  });
});

describe('a dry run', () => {
  test('lists what is due within so many days, the earliest first, by ids and dates, and changes nothing', async () => {
    world.pass(10);
    await world.signUp('bob');
    const before = structuredClone(world.plans.rows);
    world.pass(330);
    const list = listIdle(world);
    const listed = await list(5);
    expect(listed).toEqual({
      accounts: [
        {
          id: 'ada',
          step: 'warn',
          due: '2026-12-21T09:20:00.000Z',
          warnings: 0,
          lastSignInAt: '2026-01-20T09:20:00.000Z',
        },
        {
          id: 'bob',
          step: 'warn',
          due: '2026-12-31T09:20:00.000Z',
          warnings: 0,
          lastSignInAt: '2026-01-30T09:20:00.000Z',
        },
      ],
      more: false,
    });
    expect((await list(0)).accounts.map(({ id }) => id)).toEqual(['ada']);
    expect(world.plans.rows).toEqual(before);
    expect(world.mail.sent).toEqual([]);
  });

  test.each([{}, { dryRun: true }, { task: 'dry-rum' }, { task: 'sweep', dryRun: true }, null, 'dry-run'])(
    'that is misspelt as %j is refused before anything is done',
    async (event) => {
      for (const name of Object.keys(environmentSchemas(backgroundFunctions['schedules/idle-accounts']))) {
        vi.stubEnv(
          name,
          name.endsWith('URL') || name === 'STRIPE_API' ? 'http://127.0.0.1:9' : 'us-east-1_none',
        );
      }
      await expect(handler(event, {} as never)).rejects.toMatchObject({ name: '$ZodError' });
      vi.unstubAllEnvs();
    },
  );
});

describe('rows without a date', () => {
  test('are never due, until their year is let begin', async () => {
    world.plans.put({ id: 'old', created_at: '2020-01-01T00:00:00.000Z' });
    world.userPool.put({ username: 'old', email: 'old@example.com' });
    await live(400);
    expect(world.exists('old')).toBe(true);
    expect(await scheduleAll(world)()).toEqual({ scheduled: 1, unfinished: false });
    expect(await scheduleAll(world)()).toEqual({ scheduled: 0, unfinished: false });
    await live(334);
    expect(world.mailsTo('old')).toEqual([]);
    await live(31);
    expect(world.isGone('old')).toBe(true);
  });

  test('get one by a decision about their plan', async () => {
    world.plans.put({ id: 'imported', plan: 'plus', stripe_customer_id: 'cus_imported' });
    await reconcile(world, 'imported', world.now, { trigger: 'test' });
    expect(world.plans.rows.get('imported')?.idle_due_at).toBe('2026-12-21T09:20:00.000Z');
  });
});
