import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { reconcile } from '../../../../../functions/plans/reconcile.ts';
import { verify } from '../../../../../infra/operate/support/commands/verify.ts';
import { adaOnFree } from '../../../../fixtures/fakes/ada-on-free.ts';
import { watchLog } from '../../../../fixtures/fakes/watch-log.ts';

const now = new Date('2026-01-20T12:00:00Z');
const log = watchLog();
const folder = mkdtempSync(path.join(tmpdir(), 'verify-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The lines of the log after a purchase, a cancellation, the end, and a complimentary plan. */
async function decisions(): Promise<object[]> {
  const ada = adaOnFree();
  const decide = (options = {}) => reconcile(ada, 'ada', now, { trigger: 'test', ...options });
  const { id } = ada.billing.subscribe('cus_ada');
  await decide();
  ada.billing.change(id, { endsAt: Date.UTC(2026, 1, 15) / 1000 });
  await decide();
  ada.billing.change(id, { status: 'canceled' });
  await decide();
  ada.planTable.put({ id: 'ada', plan: 'plus', version: 9 });
  await decide({ cancelComplimentary: true });
  return log.lines;
}

/** The output for a log. `error`: the sentence with which the command fails. */
async function verified(lines: readonly unknown[]): Promise<{ said: string[]; error: string | undefined }> {
  const file = path.join(folder, 'logs.jsonl');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const said: string[] = [];
  const error = await verify(['--from', file], (line) => void said.push(line)).then(
    () => undefined,
    (thrown: Error) => thrown.message,
  );
  return { said, error };
}

test('each decision in a log of Lambda’s is held against the rules', async () => {
  const lines = (await decisions()).map((message) => ({ timestamp: '2026-01-20', level: 'INFO', message }));
  const { said, error } = await verified([{ message: { event: 'sweep-finished' } }, ...lines]);
  expect(error).toBeUndefined();
  expect(said).toEqual([
    'agrees  2026-01-20T12:00:00.000Z ada free to plus',
    'agrees  2026-01-20T12:00:00.000Z ada plus to plus',
    'agrees  2026-01-20T12:00:00.000Z ada plus to free',
    'agrees  2026-01-20T12:00:00.000Z ada plus to plus',
    '4 decisions agree with the rules, and 0 differ.',
  ]);
});

test.each([
  [{ to: 'free' }, 'plan is free, and by the rules plus'],
  [{ expiresAt: '2026-03-01T00:00:00.000Z' }, 'expiresAt is 2026-03-01T00:00:00.000Z, and by the rules null'],
  [{ subscription: 'sub_9' }, /subscription is sub_9, and by the rules sub_\d/],
  [{ because: 'complimentary' }, 'because is complimentary, and by the rules subscription-renews'],
])('a decision with %j differs from the rules, and fails the command', async (change, difference) => {
  const [first] = await decisions();
  const { said, error } = await verified([{ ...first, ...change }]);
  expect(error).toBe('The product and its rules disagree.');
  expect(said[0]).toMatch(/^DIFFERS/);
  expect(said[0]).toMatch(difference);
});

test('lines of an earlier release are counted apart, and a log without a decision fails', async () => {
  const [first] = await decisions();
  const { inputs: _, ...old } = first as { inputs: unknown };
  const { said, error } = await verified([old]);
  expect(said).toEqual([
    '0 decisions agree with the rules, and 0 differ. 1 lines lack what they were decided from.',
  ]);
  expect(error).toMatch('has no decision to verify.');
});

test('a damaged line fails with its beginning', async () => {
  expect((await verified(['plan-decided'])).error).toBe('This line can\'t be read: "plan-decided"');
});
