import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as joinWaitlist } from '../../../../functions/api/waitlist.ts';
import { refusals } from '../../../../schemas/refusal.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { memoryWaitlist } from '../../../fixtures/fakes/memory-adapters.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

const now = stopClock('2026-01-20T12:00:00Z');
watchLog();

describe('the waitlist', () => {
  let waitlist = memoryWaitlist();
  beforeEach(() => void (waitlist = memoryWaitlist()));

  const join = (body: unknown) => call(joinWaitlist.with({ waitlist }), { body });

  test('stores the address trimmed and in lower case, and refuses it in another case', async () => {
    const body = { email: 'ada@example.com', name: 'Ada', created_at: now.toISOString() };
    expect(await join({ email: '  Ada@Example.COM ', name: ' Ada ' })).toEqual({ status: 201, body });
    vi.setSystemTime(now.getTime() + 1);
    expect(await join({ email: 'ADA@example.com', name: 'Ada' })).toEqual({
      status: 409,
      body: { error: 'This email is already on the waitlist', code: 'already-on-waitlist' },
    });
  });

  test.each([
    { email: 'ada', name: 'Ada' },
    { email: `${'a'.repeat(255)}@example.com`, name: 'Ada' },
  ])('refuses %o', async (body) => {
    expect(await join(body)).toMatchObject(refused(400, 'bad-request'));
  });

  test.each([
    ['   ', 'name-missing'],
    ['half a pair: \uD800', 'name-unusable'],
    ['a'.repeat(101), 'name-too-long'],
  ] as const)('says what is wrong with the name %j', async (name, code) => {
    const body = { error: refusals[code].sentence, code };
    expect(await join({ email: 'ada@example.com', name })).toEqual({ status: 400, body });
    expect(waitlist.entries.size).toBe(0);
  });
});
