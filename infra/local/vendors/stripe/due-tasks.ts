import type { Collection } from '../../base/store.ts';
import { noRequest, type DueTask, type Ledger } from './ledger.ts';
import { expireSession } from './checkout.ts';
import { settleRefund } from './refunds.ts';
import { settlePayment } from './settle-payment.ts';
import { advanceInvoice } from './advance-invoice.ts';
import { advanceSubscription } from './subscriptions.ts';

/** Runs all due tasks in order of time, each in its own transaction. */
export function runDueTasks(ledger: Ledger): void {
  for (;;) {
    const task = ledger.nextDueTask();
    if (!task || task.at > ledger.now()) return;
    ledger.transaction(noRequest, () => runTask(ledger, task));
  }
}

/** Handlers schedule the object's next due time themselves, if there is one. */
function runTask(ledger: Ledger, { kind, id }: DueTask): void {
  ledger.schedule(kind, id, undefined);
  const change = <T>(objects: Collection<T>, handle: (ledger: Ledger, object: T) => unknown): void => {
    const object = objects.get(id);
    if (object) handle(ledger, object);
  };
  switch (kind) {
    case 'session':
      return change(ledger.sessions, expireSession);
    case 'subscription':
      return change(ledger.subscriptions, advanceSubscription);
    case 'invoice':
      return change(ledger.invoices, advanceInvoice);
    case 'payment':
      return change(ledger.paymentIntents, settlePayment);
    case 'refund':
      return change(ledger.refunds, settleRefund);
  }
}
