import { byItself, type Appointment, type Ledger } from './ledger.ts';
import { expireSession } from './checkout.ts';
import { attemptPayment, keepSubscription } from './subscriptions.ts';

/** Runs everything that is due, in order of time, each in its own transaction. */
export function doWhatIsDue(ledger: Ledger): void {
  for (;;) {
    const appointment = ledger.nextAppointment();
    if (!appointment || appointment.at > ledger.now()) return;
    ledger.transaction(byItself, () => keep(ledger, appointment));
  }
}

/** Handlers schedule the object's next due time themselves, if there is one. */
function keep(ledger: Ledger, { kind, id }: Appointment): void {
  ledger.schedule(kind, id, undefined);
  switch (kind) {
    case 'session': {
      const session = ledger.sessions.get(id);
      if (session) expireSession(ledger, session);
      return;
    }
    case 'subscription': {
      const subscription = ledger.subscriptions.get(id);
      if (subscription) keepSubscription(ledger, subscription);
      return;
    }
    case 'invoice': {
      const invoice = ledger.invoices.get(id);
      if (invoice) attemptPayment(ledger, invoice, { presence: 'away', attempt: 'scheduled' });
      return;
    }
  }
}
