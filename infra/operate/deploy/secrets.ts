import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { secretNames } from '../../stages/secret-names.ts';
import { readSecret, writeSecret } from './secret-store.ts';
import { stageNameFrom } from '../stage-name-from.ts';
import { type Target, targetOf } from './target.ts';
import { keysOf, type Vendor, type VendorKey } from './vendor-keys.ts';

/** Asks for one key. An empty answer keeps the stored key. */
export type Ask = (key: VendorKey, isStored: boolean) => Promise<string>;

/**
 * Stores the keys that a stage needs, and keeps stored keys that aren't entered. Throws at the first value
 * that can't be right, before storing anything of its vendor.
 */
export async function storeKeys(target: Target, ask: Ask, say: (line: string) => void): Promise<void> {
  const { stage, stageName, secrets } = target;
  const keys = keysOf(stage);
  const names = secretNames(stageName);
  for (const vendor of new Set<Vendor>(keys.map((key) => key.vendor))) {
    const stored = await readSecret(secrets, names[vendor]);
    const before = stored === undefined || stored === 'deleted' ? {} : stored.value;
    const given: Record<string, string> = {};
    for (const key of keys.filter((each) => each.vendor === vendor)) {
      const value = (await ask(key, before[key.field] !== undefined)).trim();
      if (value === '') continue;
      const problem = key.problemOf(value);
      if (problem !== undefined) throw new Error(`${vendor}: ${key.field} ${problem}.`);
      given[key.field] = value;
    }
    if (Object.keys(given).length === 0) {
      say(`${names[vendor]}: unchanged`);
      continue;
    }
    await writeSecret(secrets, names[vendor], { ...before, ...given });
    say(`${names[vendor]}: stored ${Object.keys(given).join(' and ')}`);
  }
}

/** Asks a person at the terminal. Secret input isn't shown. */
function askAtTerminal(): { ask: Ask; close: () => void } {
  let isHidden = false;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isHidden) process.stdout.write(chunk);
      done();
    },
  });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  return {
    close: () => terminal.close(),
    ask: async ({ label, isPublic }, isStored) => {
      process.stdout.write(`${label}${isStored ? ', or nothing to keep the stored one' : ''}: `);
      isHidden = !isPublic;
      const value = await terminal.question('');
      if (isHidden) process.stdout.write('\n');
      isHidden = false;
      return value;
    },
  };
}

/** Reads the keys from JSON: `{"stripe": {"secretKey": "…"}}`, and so on by vendor. */
const askJson = (json: string): Ask => {
  const given = JSON.parse(json) as Partial<Record<Vendor, Record<string, string>>>;
  return async ({ vendor, field }) => given[vendor]?.[field] ?? '';
};

export async function run(parameters: readonly string[]): Promise<void> {
  const target = targetOf(stageNameFrom(parameters));
  const { ask, close } = process.stdin.isTTY
    ? askAtTerminal()
    : { ask: askJson(await text(process.stdin)), close: () => {} };
  try {
    await storeKeys(target, ask, console.log);
    console.log(
      'Running functions read new keys of Stripe by themselves. For those of a provider, see "A provider\'s keys" in .github/recovery-runbook.md.',
    );
  } finally {
    close();
  }
}
