import { backgroundFunctions } from '../../schemas/background-functions.ts';
import { MailEvent } from '../../schemas/config/mail-event.ts';
import { type IdleAccounts, idleAccounts } from '../adapters/dynamodb/user-plans/idle-accounts.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/user-plans/plans-table.ts';
import { afterReturnedWarning, type ReturnedWarning } from '../domain/idle.ts';
import type { accountIdleEmail } from '../emails/account-idle.ts';
import { log } from '../runtime/log.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies {
  planTable: Pick<PlansTable, 'read'>;
  idle: Pick<IdleAccounts, 'move'>;
  clock: () => Date;
}

const IDLE_WARNING: ReturnType<typeof accountIdleEmail>['name'] = 'account-idle';

// The sweep of idle accounts may write the row at the same time: it counts the warning that bounced.
const ATTEMPTS = 2;

/**
 * Handles a bounce or a complaint, which EventBridge delivers from SES. SES itself stops mailing the address.
 * A warning that bounced doesn't count: an account is deleted only if its owner was warned twice.
 *
 * Safe to repeat, apart from the log line. Throws if the event isn't from SES or the row can't be written:
 * Lambda then tries again.
 */
export const handleUndeliverableMail =
  (dependencies: Dependencies) =>
  async (event: unknown): Promise<void> => {
    const { detail } = MailEvent.parse(event);
    const { messageId, tags } = detail.mail;
    const [notice] = tags?.['notice'] ?? [];
    const [user] = tags?.['user'] ?? [];
    const { type, subType } = reasonOf(detail);
    log.info('mail-returned', { eventType: detail.eventType, type, subType, notice, user, messageId });
    if (notice !== IDLE_WARNING || user === undefined) return;
    const isLasting = detail.eventType === 'Complaint' || type === 'Permanent';
    await takeBack(dependencies, user, { messageId, isLasting });
  };

async function takeBack(
  { planTable, idle, clock }: Dependencies,
  user: string,
  warning: ReturnedWarning,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const row = await planTable.read(user);
    const next = row && afterReturnedWarning(row, warning, clock());
    if (!next) return;
    if (await idle.move(row, next)) {
      if (next.bouncedMail === undefined) log.error('idle-account-unreachable', { user });
      return;
    }
  }
  throw new Error(`The row of ${user} has changed ${ATTEMPTS} times meanwhile.`);
}

const reasonOf = (detail: MailEvent['detail']) =>
  detail.eventType === 'Bounce'
    ? { type: detail.bounce.bounceType, subType: detail.bounce.bounceSubType }
    : { type: detail.complaint.complaintFeedbackType, subType: detail.complaint.complaintSubType };

export const handler = withEnvironment(backgroundFunctions['events/undeliverable-mail'], (environment) =>
  handleUndeliverableMail({
    planTable: plansTable(environment.USER_PLANS_TABLE),
    idle: idleAccounts(environment.USER_PLANS_TABLE),
    clock: () => new Date(),
  }),
);
