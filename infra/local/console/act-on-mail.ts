import type { EmailService } from '../aws/ses.ts';
import type { Inbox } from '../base/inbox.ts';
import { type ConsoleAnswer, json, refused } from './answer.ts';

/**
 * `mail/<id>/bounce` and `mail/<id>/complain` let a mail bounce or mark it as spam.
 * `suppressed/<address>/remove` takes an address off SES's suppression list. Undefined for all other paths.
 */
export function actOnMail(
  [what, name = '', action, ...rest]: readonly string[],
  inbox: Inbox,
  ses: Pick<EmailService, 'unsuppress'>,
): ConsoleAnswer | undefined {
  if (rest.length > 0) return undefined;
  if (what === 'mail' && (action === 'bounce' || action === 'complain')) {
    const outcome = action === 'bounce' ? 'bounced' : 'complained';
    return inbox.return(name, outcome) ? json({ outcome }) : refused(404, `No mail ${name} has arrived.`);
  }
  if (what === 'suppressed' && action === 'remove') {
    return ses.unsuppress(name)
      ? json({ removed: true })
      : refused(404, `${name} is not on the suppression list.`);
  }
  return undefined;
}
