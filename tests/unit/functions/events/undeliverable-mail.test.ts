import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handleUndeliverableMail } from '../../../../functions/events/undeliverable-mail.ts';
import { IdleWorld } from '../../../fixtures/fakes/idle-world.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

/**
 * Records of "Examples of event data that Amazon SES publishes", as EventBridge's `detail`, shortened:
 * https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-examples.html
 */
const mail = {
  messageId: 'EXAMPLE7c191be45',
  destination: ['recipient@example.com'],
  tags: { 'ses:configuration-set': ['ConfigSet'], 'ses:from-domain': ['example.com'] },
};
const bounced = {
  eventType: 'Bounce',
  bounce: {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [{ emailAddress: 'recipient@example.com', action: 'failed', status: '5.1.1' }],
    timestamp: '2017-08-05T00:41:02.669Z',
  },
  mail,
};
const complained = {
  eventType: 'Complaint',
  complaint: {
    complainedRecipients: [{ emailAddress: 'recipient@example.com' }],
    timestamp: '2017-08-05T00:41:02.669Z',
    complaintFeedbackType: 'abuse',
  },
  mail,
};

const tags = { ...mail.tags, notice: ['account-idle'], user: ['ada'] };
const warning = { ...mail, tags };
const hard = { ...bounced, mail: warning };
const complaint = { ...complained, mail: warning };
/** A soft bounce of the mail with this id. */
const softOf = (messageId: string) => ({
  ...hard,
  bounce: { ...bounced.bounce, bounceType: 'Transient', bounceSubType: 'MailboxFull' },
  mail: { ...warning, messageId },
});
const soft = softOf(mail.messageId);

const log = watchLog();
let world: IdleWorld;
beforeEach(async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  world = new IdleWorld();
  await world.signUp('ada');
});

const dependencies = () => ({
  planTable: world.planTable,
  idle: world.idle,
  clock: world.clock,
});
const receive = (detail: object) =>
  handleUndeliverableMail(dependencies())({
    version: '0',
    source: 'aws.ses',
    'detail-type': 'Email Bounced',
    detail,
  });
describe('an account whose warning', () => {
  test.each([
    ['bounced', hard],
    ['was marked as spam', complaint],
  ])('%s is kept for a year, and the log names it', async (_, detail) => {
    await world.live(358);
    expect(world.mailsTo('ada')).toHaveLength(2);
    await receive(detail);
    await world.live(334);
    expect(world.mailsTo('ada')).toHaveLength(2);
    expect(world.exists('ada')).toBe(true);
    expect(log.of('idle-account-unreachable')).toEqual([{ event: 'idle-account-unreachable', user: 'ada' }]);
  });

  test('met a full mailbox is warned again after a week, and deleted a week after the mail that arrived', async () => {
    await world.live(358);
    await receive(soft);
    await world.live(7);
    expect(world.exists('ada')).toBe(true);
    expect(world.mailsTo('ada')).toHaveLength(3);
    await world.live(7);
    expect(world.isGone('ada')).toBe(true);
  });

  test('meets a full mailbox again and again gets two mails a year', async () => {
    let sent = 0;
    const send = world.mail.send.bind(world.mail);
    vi.spyOn(world.mail, 'send').mockImplementation(async (to, notice) => {
      await send(to, notice);
      sent += 1;
    });
    const mails: number[] = [];
    for (let day = 0; day < 2 * 342 + 30; day += 1) {
      const before = sent;
      await world.live(1);
      if (sent > before) {
        mails.push(day + 1);
        await receive(softOf(`mail-${sent}`));
      }
    }
    expect(mails).toEqual([335, 342, 677, 684]);
    expect(world.exists('ada')).toBe(true);
    expect(log.of('idle-account-unreachable')).toHaveLength(2);
  });

  test('met a full mailbox is followed once, however often the event comes', async () => {
    await world.live(358);
    await receive(soft);
    const before = world.planTable.rows.get('ada');
    await receive(soft);
    world.pass(1);
    await receive(soft);
    expect(world.planTable.rows.get('ada')).toEqual(before);
    expect(before).toMatchObject({ idle_warnings: 1 });
  });

  test('met a full mailbox starts again with a sign-in', async () => {
    await world.live(358);
    await receive(soft);
    await world.signIn('ada');
    await world.live(358);
    await receive(softOf('another'));
    expect(world.planTable.rows.get('ada')).toMatchObject({ idle_warnings: 1 });
    expect(log.of('idle-account-unreachable')).toEqual([]);
  });

  test.each([hard, soft])('bounces while the sweep counts it is taken back (%#)', async (detail) => {
    await world.live(358);
    const move = world.idle.move.bind(world.idle);
    vi.spyOn(world.idle, 'move').mockImplementationOnce(async (row, to) => {
      const due = new Date(world.now.getTime() + 8 * 86_400_000).toISOString();
      await move(row, { due, warnings: 2, bouncedMail: undefined });
      return move(row, to);
    });
    await receive(detail);
    expect(world.planTable.rows.get('ada')).toMatchObject({ idle_warnings: detail === hard ? 0 : 1 });
  });

  test('is left to Lambda’s next try if its row cannot be written', async () => {
    await world.live(358);
    vi.spyOn(world.idle, 'move').mockResolvedValue(undefined);
    await expect(receive(soft)).rejects.toThrow('ada');
  });

  test('bounced is not deleted if the bounce comes before the warning is counted', async () => {
    const send = world.mail.send.bind(world.mail);
    vi.spyOn(world.mail, 'send').mockImplementation(async (to, notice) => {
      await send(to, notice);
      await receive(hard);
    });
    await world.live(366);
    expect(world.mailsTo('ada')).toHaveLength(1);
    expect(world.exists('ada')).toBe(true);
  });

  test.each([hard, soft])('bounced after its owner has signed in keeps its date (%#)', async (detail) => {
    await world.live(358);
    await world.signIn('ada');
    const before = world.planTable.rows.get('ada');
    await receive(detail);
    expect(world.planTable.rows.get('ada')).toEqual(before);
  });

  test('bounced after the account was deleted stays deleted', async () => {
    await world.live(365);
    await receive(hard);
    expect(world.isGone('ada')).toBe(true);
  });
});

test.each([
  ['a code of Cognito', bounced],
  ['another notice', { ...hard, mail: { ...mail, tags: { ...tags, notice: ['password-changed'] } } }],
  ['a mail without tags', { ...hard, mail: { messageId: '1' } }],
])('%s that bounced changes nothing about an account', async (_, detail) => {
  await world.live(358);
  const before = world.planTable.rows.get('ada');
  await receive(detail);
  expect(world.planTable.rows.get('ada')).toEqual(before);
});

test('the log says which mail bounced and why, and names no address', async () => {
  await receive(hard);
  await receive(complained);
  expect(log.of('mail-returned')).toEqual([
    {
      event: 'mail-returned',
      eventType: 'Bounce',
      type: 'Permanent',
      subType: 'General',
      notice: 'account-idle',
      user: 'ada',
      messageId: 'EXAMPLE7c191be45',
    },
    {
      event: 'mail-returned',
      eventType: 'Complaint',
      type: 'abuse',
      messageId: 'EXAMPLE7c191be45',
    },
  ]);
});

test.each([
  ['of another service', { source: 'aws.s3', detail: hard }],
  ['of another kind', { source: 'aws.ses', detail: { eventType: 'Delivery', mail } }],
  ['without its mail', { source: 'aws.ses', detail: { ...bounced, mail: undefined } }],
  ['without its bounce', { source: 'aws.ses', detail: { eventType: 'Bounce', mail } }],
])('an event %s is refused', async (_, event) => {
  await expect(handleUndeliverableMail(dependencies())(event)).rejects.toThrow(/invalid/i);
});
