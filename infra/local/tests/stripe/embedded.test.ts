import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { useStripe, world } from '../fixtures/stripe.ts';

useStripe();

test('the script has the release train that the installed stripe-js expects', () => {
  const library = readFileSync('node_modules/@stripe/stripe-js/dist/index.mjs', 'utf8');
  const train = /RELEASE_TRAIN = '(\w+)'/.exec(library)?.[1];
  expect(train).toBeDefined();
  expect(world.service.browserScript()).toContain(`RELEASE_TRAIN = '${train}'`);
});
