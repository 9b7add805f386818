import { expect, test } from 'vitest';
import { sendPlanNoticesSoon } from '../../../../functions/notices/send-plan-notices-soon.ts';
import { accountParts } from '../../../fixtures/fakes/account-parts.ts';

const now = new Date('2026-01-20T12:00:00Z');

test('a decision without facts, which another call has made, mails nothing', async () => {
  const parts = accountParts();
  const row = { id: 'ada', plan: 'plus', version: 1 } as const;
  await sendPlanNoticesSoon(parts, { row }, async () => 'ada@example.com', now);
  expect(parts.mail.sent).toEqual([]);
});
