import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handleUndeliverableMail } from '../../../../functions/events/undeliverable-mail.ts';
import type { AddressLimits } from '../../../../functions/adapters/dynamodb/address-limits.ts';
import { IdleWorld } from '../../../fixtures/fakes/idle-world.ts';
import { memoryAddressLimits } from '../../../fixtures/fakes/memory-adapters.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

/**
 * Records of "Examples of event data that Amazon SES publishes", as EventBridge's `detail`, shortened:
 * https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-examples.html
 */
const mail = {
  messageId: 'EXAMPLE7c191be45',
  destination: ['ada@example.com'],
  tags: { 'ses:configuration-set': ['ConfigSet'], 'ses:from-domain': ['example.com'] },
};
const bounced = {
  eventType: 'Bounce',
  bounce: {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [{ emailAddress: 'Ada@example.com', action: 'failed', status: '5.1.1' }],
    timestamp: '2017-08-05T00:41:02.669Z',
  },
  mail,
};
const complained = {
  eventType: 'Complaint',
  complaint: {
    complainedRecipients: [{ emailAddress: 'ada@example.com' }],
    timestamp: '2017-08-05T00:41:02.669Z',
    complaintFeedbackType: 'abuse',
  },
  mail,
};

const tags = { ...mail.tags, notice: ['account-idle'], user: ['ada'] };
const warning = { ...mail, tags };
const hard = { ...bounced, mail: warning };
/** A soft bounce of the mail with this id. */
const softOf = (messageId: string) => ({
  ...hard,
  bounce: { ...bounced.bounce, bounceType: 'Transient', bounceSubType: 'MailboxFull' },
  mail: { ...warning, messageId },
});
const soft = softOf(mail.messageId);
/** A permanent bounce of a mail to this address. */
const bouncedOf = (emailAddress: string) => ({
  ...bounced,
  bounce: { ...bounced.bounce, bouncedRecipients: [{ emailAddress }] },
});

const log = watchLog();
let world: IdleWorld;
let limits: AddressLimits;
beforeEach(async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  world = new IdleWorld();
  limits = memoryAddressLimits();
  await world.signUp('ada');
});

const ada = () => world.planTable.rows.get('ada');
const handle = (event: unknown) =>
  handleUndeliverableMail(Object.assign(world, { pool: world.userPool, limits }), world.clock)(event);
const receive = (detail: object) =>
  handle({ version: '0', source: 'aws.ses', 'detail-type': 'Email Bounced', detail });

describe('a permanent bounce', () => {
  test.each([
    ['a code of Cognito', bounced],
    ['any notice', { ...bounced, mail: { ...mail, tags: { ...tags, notice: ['password-changed'] } } }],
    ['a mail without tags', { ...bounced, mail: { messageId: '1' } }],
  ])('of %s is a state of the account with the address', async (_, detail) => {
    await receive(detail);
    expect(ada()?.mail_bounced_at).toBe(world.now.toISOString());
    expect(await world.bounces.end('ada', 'ada@example.com')).toBe(true);
    expect(ada()?.mail_bounced_at).toBeUndefined();
  });

  test('of a provider’s account is found by its claim', async () => {
    await world.signUp('eve', { username: 'google_1', status: 'EXTERNAL_PROVIDER' });
    await receive(bouncedOf('eve@example.com'));
    expect(world.planTable.rows.get('eve')?.mail_bounced_at).toBeDefined();
    expect(ada()?.mail_bounced_at).toBeUndefined();
  });

  test('of an earlier or unproved address says nothing about an account', async () => {
    await world.planTable.writeAddress('ada', 'ada@new.example');
    world.userPool.put({ username: 'stranger', email: 'eve@example.com', status: 'UNCONFIRMED' });
    for (const address of ['ada@example.com', 'eve@example.com']) await receive(bouncedOf(address));
    expect(ada()?.mail_bounced_at).toBeUndefined();
  });

  test.each([0, 340, 360])(
    'after %i days without a sign-in keeps the account, unwarned, and the log names it',
    async (days) => {
      await world.live(days);
      await receive(bounced);
      await world.live(365 - days);
      expect(world.mailsTo('ada').length).toBeLessThanOrEqual(2);
      await world.live(300);
      expect(world.exists('ada')).toBe(true);
      expect(log.of('idle-account-unreachable')).toMatchObject([{ user: 'ada' }]);
    },
  );
});

test('a complaint stops the mails that anybody can cause, and is no bounce', async () => {
  await receive(complained);
  expect(await limits.isComplained('ADA@example.com', world.now)).toBe(true);
  expect(ada()?.mail_bounced_at).toBeUndefined();
});

describe('an account whose warning', () => {
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
    const mails: number[] = [];
    for (let day = 1; day <= 2 * 342 + 30; day += 1) {
      const { length: before } = world.mail.sent;
      await world.live(1);
      if (world.mail.sent.length === before) continue;
      mails.push(day);
      await receive(softOf(`mail-${before}`));
    }
    expect(mails).toEqual([335, 342, 677, 684]);
    expect(world.exists('ada')).toBe(true);
    expect(log.of('idle-account-unreachable')).toHaveLength(2);
  });

  test('met a full mailbox is followed once, however often the event comes', async () => {
    await world.live(358);
    await receive(soft);
    const before = ada();
    for (const days of [0, 1]) {
      world.pass(days);
      await receive(soft);
    }
    expect(ada()).toEqual(before);
    expect(before).toMatchObject({ idle_warnings: 1 });
  });

  test('met a full mailbox starts again with a sign-in', async () => {
    await world.live(358);
    await receive(soft);
    await world.signIn('ada');
    await world.live(358);
    await receive(softOf('another'));
    expect(ada()).toMatchObject({ idle_warnings: 1 });
    expect(log.of('idle-account-unreachable')).toEqual([]);
  });

  test('bounces while the sweep counts it is taken back', async () => {
    await world.live(358);
    const move = world.idle.move.bind(world.idle);
    vi.spyOn(world.idle, 'move').mockImplementationOnce(async (row, to) => {
      const due = new Date(world.now.getTime() + 8 * 86_400_000).toISOString();
      await move(row, { due, warnings: 2, bouncedMail: undefined });
      return move(row, to);
    });
    await receive(soft);
    expect(ada()).toMatchObject({ idle_warnings: 1 });
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

  test('bounced after its owner has signed in keeps its date', async () => {
    await world.live(358);
    await world.signIn('ada');
    const before = ada();
    await receive(soft);
    expect(ada()).toEqual(before);
  });

  test('bounced after the account was deleted stays deleted', async () => {
    await world.live(365);
    await receive(hard);
    expect(world.isGone('ada')).toBe(true);
  });
});

test('the log says which mail bounced and why, and names no address', async () => {
  await receive(hard);
  await receive(complained);
  const { messageId } = mail;
  const bounce = { eventType: 'Bounce', type: 'Permanent', subType: 'General', messageId };
  const complaint = { eventType: 'Complaint', type: 'abuse', messageId };
  expect(log.of('mail-returned')).toEqual([
    { event: 'mail-returned', ...bounce, notice: 'account-idle', user: 'ada' },
    { event: 'mail-returned', ...complaint },
  ]);
});

test.each([
  ['of another service', { source: 'aws.s3', detail: hard }],
  ['of another kind', { source: 'aws.ses', detail: { eventType: 'Delivery', mail } }],
  ['without its mail', { source: 'aws.ses', detail: { ...bounced, mail: undefined } }],
  ['without its bounce', { source: 'aws.ses', detail: { eventType: 'Bounce', mail } }],
])('an event %s is refused', async (_, event) => {
  await expect(handle(event)).rejects.toThrow(/invalid/i);
});
