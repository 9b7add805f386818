import { STAGE } from '../../fixtures/fakes/stage.ts';
import type { Billing } from '../../../functions/adapters/stripe/billing.ts';
import type { Notice } from '../../../functions/emails/layout.ts';
import type { Subscription } from '../../../functions/domain/subscription.ts';
import { billingOver } from '../../../functions/adapters/stripe/stripe-billing.ts';
import type { BillingTask } from '../../../schemas/rows/billing-task.ts';
import { accountParts } from '../../fixtures/fakes/account-parts.ts';
import type { MemoryMail } from '../../fixtures/fakes/memory-mail.ts';
import { withFaults } from '../faults/with-faults.ts';
import type { MemoryEventCursor } from './memory-event-cursor.ts';
import type { MemoryUserPool } from './memory-user-pool.ts';
import type { StripeInProcess } from './stripe-in-process.ts';
import type { Dependencies } from './system-under-test.ts';
import {
  memoryBillingMails,
  type MemoryPlans,
  type MemoryTasks,
} from '../../fixtures/fakes/memory-adapters.ts';

/** The backends that the dependencies read and write, and their observers. */
interface Backends {
  plans: MemoryPlans;
  mail: MemoryMail;
  /** Called with every mail that SES accepts. */
  onMail: (to: string, email: Notice) => void;
  userPool: MemoryUserPool;
  cursor: MemoryEventCursor;
  tasks: MemoryTasks;
  stripe: StripeInProcess;
  onSubscriptionsRead: (customerId: string) => void;
  /** Called before a subscription is changed. The returned function is called with the answer. */
  onSubscriptionChange: () => (customerId: string) => void;
  onPlanWritten: (userId: string) => void;
}

/** The product's adapters over in-memory backends, with a fault possible at each call. */
export function dependenciesWithFaults({
  plans,
  mail,
  onMail,
  userPool,
  cursor,
  tasks,
  stripe,
  onSubscriptionsRead,
  onSubscriptionChange,
  onPlanWritten,
}: Backends): Dependencies {
  return {
    plans: tableWithFaults(plans, onPlanWritten),
    // Faults of Stripe are injected into the transport of Stripe's client.
    billing: observed(billingOver(stripe.connection, STAGE), onSubscriptionsRead, onSubscriptionChange),
    sessionUser: withFaults('pool', userPool),
    userPool: withFaults('pool', {
      has: async (id: string) => userPool.has(id),
      addressOf: async (id: string) => userPool.addressOf(id),
    }),
    ...accountParts(plans),
    billingMails: withFaults('table', memoryBillingMails(plans)),
    pool: withFaults('pool', userPool),
    mail: withFaults('mail', mailObserved(mail, onMail)),
    cursor: withFaults('table', cursor),
    tasks: tasksWithFaults(tasks),
  };
}

function mailObserved(mail: MemoryMail, onMail: Backends['onMail']): Dependencies['mail'] {
  return {
    isSuppressed: (email) => mail.isSuppressed(email),
    async send(to, email) {
      await mail.send(to, email);
      onMail(to, email);
    },
  };
}

function observed(
  billing: Billing,
  onSubscriptionsRead: Backends['onSubscriptionsRead'],
  onSubscriptionChange: Backends['onSubscriptionChange'],
): Billing {
  const change = async (ask: () => Promise<Subscription>): Promise<Subscription> => {
    const onAnswer = onSubscriptionChange();
    const changed = await ask();
    onAnswer(changed.customerId);
    return changed;
  };
  return {
    ...billing,
    cancelAtPeriodEnd: (subscription) => change(() => billing.cancelAtPeriodEnd(subscription)),
    undoCancellation: (subscription) => change(() => billing.undoCancellation(subscription)),
    subscriptionsOf: async (customerId, row) => {
      const subscriptions = await billing.subscriptionsOf(customerId, row);
      onSubscriptionsRead(customerId);
      return subscriptions;
    },
  };
}

/** The plans table. A page of the expiry index is a call too. */
function tableWithFaults(plans: MemoryPlans, onPlanWritten: (userId: string) => void): Dependencies['plans'] {
  const decide: MemoryPlans['decide'] = async (row, ...rest) => {
    const written = await plans.decide(row, ...rest);
    if (written) onPlanWritten(row.id);
    return written;
  };
  const calls = withFaults('table', plans);
  const decision = withFaults('table', { decide });
  const firstPage = withFaults('table', {
    expired: async (shard: number, now: Date): Promise<string[]> => {
      for await (const page of plans.expired(shard, now)) return page;
      return [];
    },
  });
  return new Proxy(calls, {
    get: (target, name) =>
      name === 'decide'
        ? decision.decide
        : name === 'expired'
          ? async function* (shard: number, now: Date) {
              yield await firstPage.expired(shard, now);
            }
          : name === 'customers'
            ? plans.customers.bind(plans)
            : (Reflect.get(target, name) as unknown),
  });
}

/** The billing tasks. A page of due tasks is a call too. */
function tasksWithFaults(tasks: MemoryTasks): Dependencies['tasks'] {
  const calls = withFaults('table', tasks);
  const firstPage = withFaults('table', {
    due: async (now: Date): Promise<BillingTask[]> => {
      for await (const page of tasks.due(now)) return page;
      return [];
    },
  });
  return {
    remember: (...task) => calls.remember(...task),
    again: (...task) => calls.again(...task),
    postpone: (...task) => calls.postpone(...task),
    forget: (task) => calls.forget(task),
    async *due(now) {
      yield await firstPage.due(now);
    },
  };
}
