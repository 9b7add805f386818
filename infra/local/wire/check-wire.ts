/**
 * Checks what tests recorded in the folder of `SELFSAME_WIRE_FOLDER`: `node check-wire.ts`. `--run` runs the
 * product's integration and contract tests first; `--report=<file>` writes the outcome there.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type * as z from 'zod/mini';
import { report } from './wire-check.ts';
import { readMessages, type WireOutcome } from './wire-message.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const {
  values: { run: runs, report: reportFile },
} = parseArgs({ options: { run: { type: 'boolean', default: false }, report: { type: 'string' } } });
const folder = runs
  ? mkdtempSync(path.join(tmpdir(), 'selfsame-wire-'))
  : process.env['SELFSAME_WIRE_FOLDER'];
if (!folder) throw new Error('SELFSAME_WIRE_FOLDER names no folder. Use `npm run test:wire`.');

let failed = false;
if (runs) {
  const { status } = spawnSync(
    path.join(root, 'node_modules/.bin/vitest'),
    ['run', '--config=tests/vitest.config.ts', '--project=integration', '--project=contract'],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, SELFSAME_WIRE_FOLDER: folder, STRIPE_SECRET_KEY: '' },
    },
  );
  failed = status !== 0;
}
const messages = readMessages(folder);
if (runs) rmSync(folder, { recursive: true, force: true });
const findings = messages.length === 0 ? ['Nothing was recorded.'] : report(messages);
for (const finding of findings) console.log(`${finding}\n`);
const counted = ['request', 'response', 'element', 'error', 'event']
  .map((kind) => `${messages.filter((message) => message.kind === kind).length} ${kind}s`)
  .join(', ');
console.log(`Checked ${messages.length} different messages against Stripe’s types: ${counted}.`);
if (findings.length > 0) console.log(`Findings: ${findings.length}.`);
if (reportFile !== undefined) {
  const outcome: z.infer<typeof WireOutcome> = {
    passed: findings.length === 0 ? 1 : 0,
    failed: findings.length,
    failures: findings,
  };
  writeFileSync(reportFile, JSON.stringify(outcome));
}
if (failed || findings.length > 0) process.exitCode = 1;
