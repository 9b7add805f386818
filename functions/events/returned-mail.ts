import { backgroundFunctions } from '../../schemas/environment.ts';
import { MailEvent } from '../../schemas/mail-event.ts';
import type { NoticeName } from '../../schemas/notices.ts';
import { type IdleAccounts, idleAccounts } from '../adapters/dynamodb/idle-accounts.ts';
import { type PlansTable, plansTable } from '../adapters/dynamodb/plans-table.ts';
import { afterReturnedWarning } from '../domain/idle.ts';
import { log } from '../runtime/log.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies {
  plans: Pick<PlansTable, 'read'>;
  idle: Pick<IdleAccounts, 'move'>;
  clock: () => Date;
}

const IDLE_WARNING: NoticeName = 'account-idle';

/**
 * Handles a bounce or a complaint, which EventBridge brings from SES. SES itself stops mailing the address. A
 * warning that came back doesn't count: no account is deleted whose owner wasn't warned twice.
 *
 * Safe to repeat, but for the log line. Throws if the event isn't one of SES, or the table fails.
 */
export const handleReturnedMail =
  ({ plans, idle, clock }: Dependencies) =>
  async (event: unknown): Promise<void> => {
    const { detail } = MailEvent.parse(event);
    const { messageId, tags } = detail.mail;
    const [notice] = tags?.['notice'] ?? [];
    const [user] = tags?.['user'] ?? [];
    const { type, subType } = reasonOf(detail);
    log.info('mail-returned', { eventType: detail.eventType, type, subType, notice, user, messageId });
    if (notice !== IDLE_WARNING || user === undefined) return;
    const row = await plans.read(user);
    const isLasting = detail.eventType === 'Complaint' || type === 'Permanent';
    const next = row && afterReturnedWarning(row, isLasting, clock());
    // Refused if the user has signed in meanwhile.
    if (!next || !(await idle.move(row, next))) return;
    if (isLasting) log.error('idle-account-unreachable', { user });
  };

const reasonOf = (detail: MailEvent['detail']) =>
  detail.eventType === 'Bounce'
    ? { type: detail.bounce.bounceType, subType: detail.bounce.bounceSubType }
    : { type: detail.complaint.complaintFeedbackType, subType: detail.complaint.complaintSubType };

export const handler = withEnvironment(backgroundFunctions['events/returned-mail'], (environment) =>
  handleReturnedMail({
    plans: plansTable(environment.PLANS_TABLE),
    idle: idleAccounts(environment.PLANS_TABLE),
    clock: () => new Date(),
  }),
);
