import { namesOf } from '../../../../schemas/product/providers.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../../../functions/adapters/dynamodb/address-limits.ts';
import { remindOfProvider } from '../../../../functions/api/provider-reminder.ts';
import { addressWorld } from '../../../fixtures/fakes/address-world.ts';
import { call } from '../../../fixtures/fakes/http-event.ts';
import { watchLog } from '../../../fixtures/fakes/watch-log.ts';

const log = watchLog();
const email = 'grace@example.com';
const byGoogle = { status: 'EXTERNAL_PROVIDER', password: undefined } as const;
const received = { status: 200, body: { received: true } };

describe('who asks for a new password', () => {
  let world: ReturnType<typeof addressWorld>;
  const ask = (address = email) => call(remindOfProvider(world), { body: { email: address } });
  const claim = (fields: Partial<Parameters<typeof world.pool.put>[0]>) => {
    world.pool.put({ username: 'google_1', email, ...fields });
    world.addresses.owners.set(email, 'google_1');
  };

  beforeEach(() => {
    world = addressWorld('ada@example.com');
  });

  test('and has none, since providers open the account, gets a mail that names them', async () => {
    claim({ ...byGoogle, identities: [{ provider: 'github', id: '7' }] });
    expect(await ask(' GRACE@example.com ')).toEqual(received);
    expect(world.mail.sent).toMatchObject([
      { to: email, email: { subject: `You sign in to Selfsame with ${namesOf(['google', 'github'])}` } },
    ]);
  });

  test.each([
    ['has a password', { identities: [{ provider: 'google', id: '1' }] as const }],
    ['has no proved address', { ...byGoogle, emailVerified: false }],
    ['may not sign in', { ...byGoogle, enabled: false }],
  ])('gets the same answer and no mail, if the account %s', async (_, fields) => {
    claim(fields);
    expect(await ask()).toEqual(received);
    expect(world.mail.sent).toEqual([]);
  });

  test('gets the same answer and no mail, without an account', async () => {
    expect(await ask()).toEqual(received);
    world.addresses.owners.set(email, 'google_1');
    expect(await ask()).toEqual(received);
    expect(world.mail.sent).toEqual([]);
  });

  test('gets the same answer if the day’s mails are spent, or none can be sent', async () => {
    claim(byGoogle);
    for (let times = 0; times <= LIMITS.mail.most; times += 1) expect(await ask()).toEqual(received);
    expect(world.mail.sent).toHaveLength(LIMITS.mail.most);
    world = addressWorld('ada@example.com');
    claim(byGoogle);
    world.mail.down = true;
    expect(await ask()).toEqual(received);
    expect(log.lines).toEqual([expect.objectContaining({ event: 'mail-not-sent' })]);
  });
});
