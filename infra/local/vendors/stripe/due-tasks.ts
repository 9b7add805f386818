import { noRequest, type DueTask, type Ledger } from './ledger.ts';
import { expireSession } from './checkout.ts';
import { settleRefund } from './refunds.ts';
import { settlePayment } from './settle-payment.ts';
import { advanceInvoice, advanceSubscription } from './subscriptions.ts';

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
  switch (kind) {
    case 'session': {
      const session = ledger.sessions.get(id);
      if (session) expireSession(ledger, session);
      return;
    }
    case 'subscription': {
      const subscription = ledger.subscriptions.get(id);
      if (subscription) advanceSubscription(ledger, subscription);
      return;
    }
    case 'invoice': {
      const invoice = ledger.invoices.get(id);
      if (invoice) advanceInvoice(ledger, invoice);
      return;
    }
    case 'payment': {
      const intent = ledger.paymentIntents.get(id);
      if (intent) settlePayment(ledger, intent);
      return;
    }
    case 'refund': {
      const refund = ledger.refunds.get(id);
      if (refund) settleRefund(ledger, refund);
      return;
    }
  }
}
