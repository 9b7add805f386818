import { backgroundFunctions } from '../../schemas/background-functions.ts';
import { MailEvent } from '../../schemas/config/mail-event.ts';
import { holderOf } from '../accounts/address-ownership.ts';
import { userPool } from '../adapters/cognito/user-pool.ts';
import { addresses, bounces, idle, limits, planTable } from '../adapters/tables.ts';
import { asciiLowerCase } from '../domain/ascii-lower-case.ts';
import { afterReturnedWarning } from '../domain/idle.ts';
import type { accountIdleEmail } from '../emails/account-idle.ts';
import { log } from '../runtime/log.ts';
import { type Made, withAdapters } from '../runtime/with-environment.ts';

const adapters = { planTable, idle, bounces, limits, addresses, pool: userPool };
type Dependencies = Made<typeof adapters>;

const IDLE_WARNING: ReturnType<typeof accountIdleEmail>['name'] = 'account-idle';

// The sweep of idle accounts may write the row at the same time: it counts the warning that bounced.
const ATTEMPTS = 2;

/**
 * Handles a bounce or a complaint, which EventBridge delivers from SES.
 *
 * - After a permanent bounce SES stops mailing the address. The account's row notes it, for the pages, and so
 *   that no idle account is deleted whose owner can't be warned.
 * - A complaint stops the mails that anybody can cause, until somebody asks for one again. SES goes on.
 * - A warning that bounced for another reason doesn't count.
 *
 * Safe to repeat, apart from the log line. Throws if the row can't be written: Lambda then tries again.
 */
export const handleUndeliverableMail =
  (dependencies: Dependencies, clock: () => Date = () => new Date()) =>
  async (event: unknown): Promise<void> => {
    const { detail } = MailEvent.parse(event);
    const { messageId, tags } = detail.mail;
    const [notice] = tags?.['notice'] ?? [];
    const [user] = tags?.['user'] ?? [];
    const { type, subType, recipients } = reasonOf(detail);
    log.info('mail-returned', { eventType: detail.eventType, type, subType, notice, user, messageId });
    const emails = recipients.map(({ emailAddress }) => asciiLowerCase(emailAddress));
    if (detail.eventType === 'Complaint') {
      await Promise.all(emails.map((email) => dependencies.limits.complain(email, clock())));
    } else if (type === 'Permanent') {
      await Promise.all(emails.map((email) => noteBounce(dependencies, email, clock())));
    } else if (notice === IDLE_WARNING && user !== undefined) {
      await uncountWarning(dependencies, user, messageId, clock());
    }
  };

async function noteBounce(dependencies: Dependencies, email: string, now: Date): Promise<void> {
  const account = await holderOf(dependencies, email);
  if (account) await dependencies.bounces.note(account.sub, email, now);
}

async function uncountWarning(dependencies: Dependencies, user: string, messageId: string, now: Date) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const row = await dependencies.planTable.read(user);
    const next = row && afterReturnedWarning(row, messageId, now);
    if (!next) return;
    if (await dependencies.idle.move(row, next)) {
      if (next.bouncedMail === undefined) log.error('idle-account-unreachable', { user });
      return;
    }
  }
  throw new Error(`The row of ${user} has changed ${ATTEMPTS} times meanwhile.`);
}

const reasonOf = (detail: MailEvent['detail']) =>
  detail.eventType === 'Bounce'
    ? {
        type: detail.bounce.bounceType,
        subType: detail.bounce.bounceSubType,
        recipients: detail.bounce.bouncedRecipients,
      }
    : {
        type: detail.complaint.complaintFeedbackType,
        subType: detail.complaint.complaintSubType,
        recipients: detail.complaint.complainedRecipients,
      };

export const handler = withAdapters(
  backgroundFunctions['events/undeliverable-mail'],
  adapters,
  handleUndeliverableMail,
);
