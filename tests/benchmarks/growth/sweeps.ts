import { expiryShard } from '../../../functions/domain/expiry-shard.ts';
import { inUse } from '../../../functions/domain/idle.ts';
import type { BackgroundFunction } from '../../../schemas/config/environment.ts';
import { accountParts } from '../../fixtures/fakes/account-parts.ts';
import { rowOf, type Scale } from './scale.ts';

/** A scheduled function whose cost should follow what is due, and nothing else. */
export interface Sweep {
  /** `Expiry sweep`. */
  name: string;
  /** The name of the rows that are due, in the plural: `expired plans`. */
  due: string;
  /** Makes `count` due. Resolves with the sweep, which resolves with how many it has handled. */
  makeDue(scale: Scale, count: number): Promise<() => Promise<number>>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const expirySweep: Sweep = {
  name: 'Expiry sweep',
  due: 'expired plans',
  async makeDue(scale, count) {
    const { sweepExpired } = await import('../../../functions/schedules/expiry-sweep.ts');
    const { billingTasks } = await import('../../../functions/adapters/dynamodb/billing-tasks.ts');
    const tasks = billingTasks('StripeWork');
    const now = scale.clock.now();
    const expired = Array.from({ length: count }, (_, index) => {
      const row = rowOf(index, now);
      return {
        ...row,
        plan: 'plus' as const,
        plan_expires_at: new Date(now.getTime() - HOUR).toISOString(),
        expiry_shard: expiryShard(row.id),
      };
    });
    await scale.write(expired);
    return async () => (await sweepExpired({ ...scale, tasks }, () => now)()).reconciled;
  },
};

const eventCatchUp: Sweep = {
  name: 'Event catch-up',
  due: 'customers with new events',
  async makeDue(scale, count) {
    const { catchUp } = await import('../../../functions/schedules/event-catch-up.ts');
    const { billingTasks } = await import('../../../functions/adapters/dynamodb/billing-tasks.ts');
    const { eventCursor } = await import('../../../functions/adapters/dynamodb/event-cursor.ts');
    // So far that the events of the runs before are older than the cursor.
    const now = await scale.clock.advance(2 * HOUR);
    const tasks = billingTasks('StripeWork');
    const cursor = eventCursor('StripeWork');
    await cursor.move({ from: new Date(now.getTime() - HOUR) });
    scale.emit(count, 30 * MINUTE);
    // Asked only about customers whose renewal is announced.
    const userPool = { has: () => Promise.resolve(true) };
    return async () => (await catchUp({ ...scale, cursor, tasks, userPool }, () => now)()).reconciled;
  },
};

const billingTaskSweep: Sweep = {
  name: 'Billing tasks',
  due: 'tasks',
  async makeDue(scale, count) {
    const { runBillingTasks } = await import('../../../functions/schedules/billing-tasks.ts');
    const { billingTasks } = await import('../../../functions/adapters/dynamodb/billing-tasks.ts');
    const { billingMails } = await import('../../../functions/adapters/dynamodb/billing-mails.ts');
    const tasks = billingTasks('StripeWork');
    const now = await scale.clock.advance(2 * HOUR);
    const left = new Date(now.getTime() - HOUR);
    await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const { id, billing_customer_id: customer_id = '' } = rowOf(index, now);
        await tasks.remember({ work: 'reconcile', customer_id, user_id: id, failure: 'refused' }, left, left);
      }),
    );
    const userPool = { has: () => Promise.resolve(true), addressOf: () => Promise.resolve(undefined) };
    return async () =>
      (
        await runBillingTasks(
          { ...accountParts(), billingMails: billingMails('UserPlans'), ...scale, tasks, userPool },
          () => now,
        )()
      ).done;
  },
};

const idleAccountSweep: Sweep = {
  name: 'Idle accounts',
  due: 'accounts to be warned',
  async makeDue(scale, count) {
    const { LIMITS, sweepIdle } = await import('../../../functions/schedules/idle-accounts.ts');
    const { billingTasks } = await import('../../../functions/adapters/dynamodb/billing-tasks.ts');
    const { idleAccounts } = await import('../../../functions/adapters/dynamodb/idle-accounts.ts');
    const now = scale.clock.now();
    const idleSince = new Date(now.getTime() - 340 * 24 * HOUR);
    await scale.write(
      Array.from({ length: count }, (_, index) => {
        const { id } = rowOf(index, now);
        return { id, plan: 'free' as const, version: 1, ...inUse(id, idleSince) };
      }),
    );
    const account = {
      status: 'CONFIRMED',
      enabled: true,
      emailVerified: true,
      createdAt: idleSince,
      identities: [],
    };
    const run = sweepIdle({
      ...scale,
      idle: idleAccounts(scale.table),
      tasks: billingTasks('StripeWork'),
      userPool: {
        findBySub: async (sub) => ({ ...account, sub, username: sub, email: `${sub}@example.com` }),
        has: async () => true,
        remove: async () => true,
      },
      addresses: { release: async () => {} },
      addressChanges: { remove: async () => {} },
      appSessions: { removeAll: async () => {} },
      mail: { send: async () => {}, isSuppressed: async () => false },
      siteUrl: 'https://selfsame.example',
      clock: () => now,
    });
    return async () => {
      let warned = 0;
      // A run warns at most as many.
      for (let taken = 0; taken <= count; taken += LIMITS.warn) warned += (await run()).outcomes.warned;
      return warned;
    };
  },
};

/**
 * Every schedule of the stack that works on a table, by its file in functions/. The unconfirmed sweep works
 * on the user pool, where Cognito looks for what is due.
 */
type Schedule = Exclude<
  Extract<BackgroundFunction, `schedules/${string}`>,
  // The canary's cost follows nothing, that of the export the number of users, and that of the comparison of
  // plans the number of payers.
  'schedules/unconfirmed-sweep' | 'schedules/canary' | 'schedules/user-export' | 'schedules/plan-agreement'
>;

const bySchedule: Record<Schedule, Sweep> = {
  'schedules/expiry-sweep': expirySweep,
  'schedules/event-catch-up': eventCatchUp,
  'schedules/billing-tasks': billingTaskSweep,
  'schedules/idle-accounts': idleAccountSweep,
};

export const sweeps: readonly Sweep[] = Object.values(bySchedule);
