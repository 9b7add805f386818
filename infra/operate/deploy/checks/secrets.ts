import { secretNames } from '../../../stages/secret-names.ts';
import { type Check, error, type Finding } from '../check.ts';
import { readSecret } from '../secret-store.ts';
import type { Target } from '../target.ts';
import { keysOf } from '../vendor-keys.ts';

/** Whether every vendor key is stored in the stage's region. */
export const secrets = (target: Target): Check => ({
  name: 'Secrets',
  needsCredentials: true,
  async run() {
    const { stage, stageName, secrets: client } = target;
    const keys = keysOf(stage);
    const names = secretNames(stageName);
    const fix = `npm run ops -- secrets ${stageName}`;
    const findings: Finding[] = [];
    for (const vendor of new Set(keys.map((key) => key.vendor))) {
      const stored = await readSecret(client, names[vendor]);
      if (stored === undefined || stored === 'deleted') {
        const reason = stored === 'deleted' ? 'was deleted' : `does not exist in ${stage.region}`;
        findings.push(error(`The secret ${names[vendor]} ${reason}.`, fix));
        continue;
      }
      for (const { field, problemOf } of keys.filter((key) => key.vendor === vendor)) {
        const value = stored.value[field];
        const problem = typeof value === 'string' ? problemOf(value) : 'is missing';
        if (problem !== undefined) findings.push(error(`${field} in ${names[vendor]} ${problem}.`, fix));
      }
    }
    return findings;
  },
});
