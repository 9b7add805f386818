import { byItself, type Appointment, type Ledger } from './ledger.ts';
import { expireSession } from './checkout.ts';
import { attemptPayment, keepSubscription } from './subscriptions.ts';

/** Does everything that has become due by itself, in the order of its moments, each whole or not at all. */
export function doWhatIsDue(ledger: Ledger): void {
  for (;;) {
    const appointment = ledger.nextAppointment();
    if (!appointment || appointment.at > ledger.now()) return;
    ledger.transaction(byItself, () => keep(ledger, appointment));
  }
}

/** Whatever is kept makes its next appointment itself, if it has one. */
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
