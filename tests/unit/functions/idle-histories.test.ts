import * as fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { warningsOf } from '../../../functions/domain/idle.ts';
import { followIdleAccount } from '../../../functions/plans/follow-idle-account.ts';
import { reconcile } from '../../../functions/plans/reconcile.ts';
import { IdleWorld } from '../../fixtures/idle-world.ts';

const DAY = 24 * 3_600_000;

type Action =
  | { do: 'pass' | 'outage'; days: number }
  | {
      do:
        | 'signIn'
        | 'buy'
        | 'buyUnheard'
        | 'endPlus'
        | 'bePaused'
        | 'support'
        | 'failingMail'
        | 'failingStripe';
    }
  | { do: 'mended' }
  /** The nth write to the row from now on fails, before or after it has been made. */
  | { do: 'failingWrite'; nth: number; isWritten: boolean };

const anyAction: fc.Arbitrary<Action> = fc.oneof(
  // Long enough that a year passes, and near the dates that count.
  { weight: 8, arbitrary: fc.record({ do: fc.constant('pass' as const), days: days() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('outage' as const), days: days() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'signIn' as const,
        'buy' as const,
        'buyUnheard' as const,
        'endPlus' as const,
        'bePaused' as const,
        'support' as const,
        'failingMail' as const,
        'failingStripe' as const,
        'mended' as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('failingWrite' as const),
      nth: fc.integer({ min: 1, max: 4 }),
      isWritten: fc.boolean(),
    }),
  },
);

function days(): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(1, 6, 7, 8, 22, 23, 24, 30, 334, 335, 336, 365),
    fc.integer({ min: 1, max: 400 }),
  );
}

/** A user, what they do in some years, and what they were sent. */
class History {
  readonly world = new IdleWorld();
  readonly violations: string[] = [];
  /** The last sign-in, or the end of Plus if that was later. */
  #lastUse = this.world.now;
  #warnings: Date[] = [];
  #writesToFailure = Infinity;
  #isWritten = false;

  async begin(): Promise<void> {
    const { world } = this;
    await world.signUp('ada');
    world.customerOf('ada');
    const send = world.mail.send.bind(world.mail);
    world.mail.send = async (to, email) => {
      await send(to, email);
      if (email.name === 'account-idle') this.#warned();
    };
    const remove = world.userPool.remove.bind(world.userPool);
    world.userPool.remove = async (username) => {
      if (world.users.has('ada')) this.#deleted();
      return remove(username);
    };
    const move = world.idle.move.bind(world.idle);
    world.idle.move = (row, to) => this.#write(() => move(row, to));
    const clear = world.plans.clear.bind(world.plans);
    world.plans.clear = (id, due) => this.#write(() => clear(id, due));
    const close = world.idle.close.bind(world.idle);
    world.idle.close = (row, until) => this.#write(() => close(row, until));
  }

  async #write<T>(write: () => Promise<T>): Promise<T> {
    this.#writesToFailure -= 1;
    if (this.#writesToFailure !== 0) return write();
    if (this.#isWritten) await write();
    throw new Error('DynamoDB is out of reach.');
  }

  #say(violation: string): void {
    this.violations.push(`${violation} (${this.world.now.toISOString()})`);
  }

  #daysSince = (moment: Date): number => (this.world.now.getTime() - moment.getTime()) / DAY;

  #warned(): void {
    const last = this.#warnings.at(-1);
    if (last && this.#daysSince(last) < 7) this.#say('Two warnings within a week.');
    if (this.isSubscribed) this.#say('A payer was warned.');
    if (this.#daysSince(this.#lastUse) < 335) this.#say('Warned before eleven months.');
    this.#warnings.push(this.world.now);
  }

  #deleted(): void {
    const sinceUse = this.#warnings.filter((at) => at >= this.#lastUse);
    if (this.isSubscribed) this.#say('A payer was deleted.');
    if (this.world.plans.rows.get('ada')?.plan === 'plus') this.#say('A plan on Plus was deleted.');
    if (this.#daysSince(this.#lastUse) < 365) this.#say('Deleted before a year.');
    if (!sinceUse.some((at) => this.#daysSince(at) >= 30)) this.#say('Deleted without 30 days of notice.');
    const [, ...later] = sinceUse;
    if (!later.some((at) => this.#daysSince(at) >= 7)) this.#say('Deleted without a second warning.');
  }

  get isSubscribed(): boolean {
    return [...this.world.billing.subscriptions.values()].some(({ status }) => status !== 'canceled');
  }

  get exists(): boolean {
    return this.world.users.has('ada');
  }

  async perform(action: Action): Promise<void> {
    const { world } = this;
    if (!this.exists) return;
    switch (action.do) {
      case 'pass':
        return this.pass(action.days);
      case 'outage':
        return world.pass(action.days);
      case 'signIn':
        this.#lastUse = world.now;
        return world.signIn('ada');
      case 'buy':
      case 'buyUnheard':
        if (world.billing.customers.size === 0) return;
        world.billing.subscribe('cus_ada');
        return action.do === 'buy' ? this.#hear() : undefined;
      case 'bePaused':
      case 'endPlus': {
        const fields =
          action.do === 'endPlus' ? { status: 'canceled', invoicesVoided: true } : { status: 'paused' };
        for (const { id, status } of world.billing.subscriptions.values()) {
          if (status === 'canceled') continue;
          world.billing.change(id, fields);
        }
        return this.#hear();
      }
      case 'support': {
        const row = await world.plans.read('ada');
        if (row) world.plans.put({ ...row, plan: row.plan === 'free' ? 'plus' : 'free' });
        return undefined;
      }
      case 'failingMail':
        world.mail.down = true;
        return undefined;
      case 'failingStripe':
        world.billing.down = true;
        return undefined;
      case 'failingWrite':
        this.#writesToFailure = action.nth;
        this.#isWritten = action.isWritten;
        return undefined;
      default:
        return this.#mend();
    }
  }

  #mend(): void {
    this.world.mail.down = false;
    this.world.billing.down = false;
    this.#writesToFailure = Infinity;
  }

  /** The webhook's decision. Without it the row and Stripe disagree, which is a state of its own. */
  async #hear(): Promise<void> {
    const { world } = this;
    if (world.billing.down) return;
    const before = world.plans.rows.get('ada')?.plan;
    await reconcile(world, 'ada', world.now, { trigger: 'test' });
    if (before === 'plus' && world.plans.rows.get('ada')?.plan === 'free') this.#lastUse = world.now;
  }

  /** Runs the schedule each day. Days on which nothing is due are skipped. */
  async pass(count: number): Promise<void> {
    const { world } = this;
    const end = world.now.getTime() + count * DAY;
    while (this.exists && world.now.getTime() < end) {
      const due = Date.parse(world.plans.rows.get('ada')?.idle_due_at ?? '9999-01-01T00:00:00.000Z');
      const wait = Math.max(1, Math.ceil((due - world.now.getTime()) / DAY));
      world.pass(Math.min(wait, (end - world.now.getTime()) / DAY));
      await followIdleAccount(world, 'ada', () => true).catch(() => {});
    }
  }

  /** Nothing fails any more and nobody comes back. */
  async end(): Promise<void> {
    this.#mend();
    // The year, the notice, and what failed before: a mail is tried again after a week.
    await this.pass(365 + 30 + 7 + 7);
    const row = this.world.plans.rows.get('ada');
    const stays = this.isSubscribed || row?.plan === 'plus' || row?.idle_due_at === undefined;
    if (this.exists && !stays) this.#say(`Still there, warned ${row && warningsOf(row)} times.`);
    if (!this.exists && row) this.#say('The row is left.');
  }
}

beforeEach(() => {
  // A reconciliation that loses the write retries at once.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

test('in years of idling, buying and failing, nobody is deleted who pays, came back or was not warned twice in time, and all others are', async () => {
  let deleted = 0;
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyAction, { maxLength: 20, size: 'max' }), async (actions) => {
      const history = new History();
      await history.begin();
      for (const action of actions) await history.perform(action);
      await history.end();
      expect(history.violations).toEqual([]);
      if (history.exists) kept += 1;
      else deleted += 1;
    }),
    { numRuns: 300 },
  );
  expect(Math.min(deleted, kept)).toBeGreaterThan(20);
});
