import { memoryPasses } from '../../fixtures/fakes/memory-adapters.ts';
import { STAGE } from '../../fixtures/fakes/stage.ts';
import { paidRows } from '../../../functions/adapters/dynamodb/user-plans/paid-rows.ts';
import type { Notice } from '../../../functions/emails/layout.ts';
import type { Subscription } from '../../../functions/domain/subscription.ts';
import { type Billing, billingOver } from '../../../functions/adapters/stripe/stripe-billing.ts';
import { accountParts } from '../../fixtures/fakes/account-parts.ts';
import type { MemoryMail } from '../../fixtures/fakes/memory-mail.ts';
import { withFaults, withMethods } from '../faults/with-faults.ts';
import type { Dependencies } from './system-under-test.ts';
import type { World } from './world.ts';
import { memoryBillingMails, type MemoryPlans } from '../../fixtures/fakes/memory-adapters.ts';

interface Observers {
  /** Called with every mail that SES accepts. */
  onMail: (to: string, email: Notice) => void;
  onSubscriptionsRead: (customerId: string) => void;
  /** Called before a subscription is changed. The returned function is called with the answer. */
  onSubscriptionChange: () => (customerId: string) => void;
  onPlanWritten: (userId: string) => void;
}

/** The product's adapters over in-memory backends, with a fault possible at each call. */
export function dependenciesWithFaults(
  { planTable, mail, pool, cursor, tasks, stripe }: World,
  { onMail, onSubscriptionsRead, onSubscriptionChange, onPlanWritten }: Observers,
): Dependencies {
  const decide: MemoryPlans['decide'] = async (row, ...rest) => {
    const written = await planTable.decide(row, ...rest);
    if (written) onPlanWritten(row.id);
    return written;
  };
  const send: MemoryMail['send'] = async (to, email) => {
    await mail.send(to, email);
    onMail(to, email);
  };
  return {
    planTable: withFaults('table', withMethods(planTable, { decide })),
    // Faults of Stripe are injected into the transport of Stripe's client.
    billing: observed(billingOver(stripe.connection, STAGE), onSubscriptionsRead, onSubscriptionChange),
    sessionUser: withFaults('pool', pool.sessionUser),
    userPool: withFaults('pool', pool),
    ...accountParts(planTable),
    billingMails: withFaults('table', memoryBillingMails(planTable)),
    pool: withFaults('pool', pool),
    mail: withFaults('mail', withMethods(mail, { send })),
    cursor: withFaults('table', cursor),
    tasks: withFaults('table', tasks),
    paidRows: (after?: string) => paidRows(planTable.table.name, after),
    passes: withFaults('table', memoryPasses()),
  };
}

function observed(
  billing: Billing,
  onSubscriptionsRead: Observers['onSubscriptionsRead'],
  onSubscriptionChange: Observers['onSubscriptionChange'],
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
