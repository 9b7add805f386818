import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { secretNames } from '../../../stages/secret-names.ts';
import { type Check, error, type Finding } from '../check.ts';
import { readSecret } from '../secret-store.ts';
import { EDGE_REGION } from '../../../stages/edge-region.ts';
import { LIMITS, type Target } from '../target.ts';
import { keysOf, type Vendor } from '../vendor-keys.ts';

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
        const reason = stored === 'deleted' ? 'was deleted' : await absence(target, vendor);
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

/** Says where the secret is, if a deployer stored it in another region by mistake. */
async function absence({ stage, stageName }: Target, vendor: Vendor): Promise<string> {
  const others = new Set([process.env['AWS_REGION'], process.env['AWS_DEFAULT_REGION'], EDGE_REGION]);
  for (const region of others) {
    if (region === undefined || region === stage.region) continue;
    const elsewhere = await readSecret(
      new SecretsManagerClient({ ...LIMITS, region }),
      secretNames(stageName)[vendor],
    );
    if (elsewhere !== undefined) return `is in ${region}, and the stage is in ${stage.region}`;
  }
  return `does not exist in ${stage.region}`;
}
