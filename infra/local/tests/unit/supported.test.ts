import { expect, test } from 'vitest';
import { operations } from '../../aws/cognito/operations/table.ts';
import { UserPoolSettings } from '../../aws/cognito/settings.ts';
import { resourceTypes } from '../../aws/services.ts';
import { routes } from '../../vendors/stripe/api.ts';

const lines = (list: readonly string[]): string => list.map((line) => `- ${line}`).join('\n');
const types = (ignored: boolean): string[] =>
  Object.keys(resourceTypes)
    .filter((name) => (resourceTypes[name]?.notEmulated !== undefined) === ignored)
    .toSorted();
const calls = routes
  .map(({ method, path, parameters }) =>
    parameters.length === 0 ? `\`${method} ${path}\`` : `\`${method} ${path}\`: ${parameters.join(', ')}`,
  )
  .toSorted();

test('SUPPORTED.md has what the stand-ins declare: --update writes it', async () => {
  await expect(`# What the local world answers

Made by \`tests/unit/supported.test.ts\` from the stand-ins themselves. Whatever isn't here is refused: a resource type or a property ends the start with a sentence that names it, a call or a parameter gets the service's own refusal.

## Resource types

${types(false).join(', ')}.

Accepted, without an effect here:

${types(true).join(', ')}.

## Cognito

${[...operations.keys()].toSorted().join(', ')}.

Triggers: ${Object.keys(UserPoolSettings.shape.LambdaConfig.def.innerType.shape).join(', ')}.

## Stripe

With these parameters, and \`expand\`:

${lines(calls)}
`).toMatchFileSnapshot('../../SUPPORTED.md');
});
