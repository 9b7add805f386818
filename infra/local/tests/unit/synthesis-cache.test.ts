import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SynthesisCache } from '../../stack/synthesis-cache.ts';
import { folderOf } from '../fixtures/local-stack.ts';

/** A checkout with its kept synthesis, and a function that changes the checkout. */
function keptSynthesis() {
  const folder = folderOf({
    'package-lock.json': '{}',
    'infra/stages/stages.ts': 'export const logDays = 7;',
    'infra/constructs/api/api.ts': 'export class Api {}',
    'functions/api/plan.ts': 'export const handler = 1;',
    'site/index.html': 'Home',
    'site/pricing.html': 'Pricing',
    'out/stack.template.json': '{"Resources":{}}',
    'out/stack.assets.json': '{}',
    'out/asset.1/config.json': '{}',
  });
  const at = (file: string) => path.join(folder, file);
  // Written before the synthesis began.
  for (const file of ['package-lock.json', 'infra/stages/stages.ts', 'infra/constructs/api/api.ts'])
    age(at(file));
  for (const file of ['site/index.html', 'site/pricing.html']) age(at(file));
  const options = { outdir: at('out'), site: at('site'), functions: at('code') };
  const cacheOf = (more: object = {}) =>
    new SynthesisCache(at('synthesis.json'), {
      packages: [at('package-lock.json')],
      options: { ...options, ...more },
    });
  const synthesis = {
    template: at('out/stack.template.json'),
    assets: at('out/stack.assets.json'),
    modules: [at('infra/stages/stages.ts'), at('infra/constructs/api/api.ts')],
    unbundled: { entries: { 'api/plan': at('functions/api/plan.ts') }, options: {} },
  };
  cacheOf().keep(synthesis, Date.now() - 60_000);
  return { at, cacheOf, synthesis, write: (file: string, text: string) => writeFileSync(at(file), text) };
}
const age = (file: string) => utimesSync(file, 0, 0);

test('a synthesis is used again while nothing that it read or wrote has changed', () => {
  const { cacheOf, synthesis, write, at } = keptSynthesis();
  expect(cacheOf().get()).toEqual(synthesis);
  // The template doesn't depend on the code of functions.
  write('functions/api/plan.ts', 'export const handler = 2;');
  // Saved again, with the same text.
  write('infra/stages/stages.ts', 'export const logDays = 7;');
  utimesSync(at('out/stack.template.json'), 0, 0);
  expect(cacheOf().get()).toEqual(synthesis);
});

type Kept = ReturnType<typeof keptSynthesis>;
test.each<[string, (kept: Kept) => void]>([
  ['a changed construct', ({ write }) => write('infra/constructs/api/api.ts', 'export class Api { x = 1 }')],
  [
    'a changed setting of a stage',
    ({ write }) => write('infra/stages/stages.ts', 'export const logDays = 30;'),
  ],
  ['a removed module', ({ at }) => rmSync(at('infra/constructs/api/api.ts'))],
  ['a removed handler', ({ at }) => rmSync(at('functions/api/plan.ts'))],
  ['a changed page', ({ write }) => write('site/pricing.html', 'Prices')],
  ['an added page', ({ write }) => write('site/help.html', '')],
  ['a removed page', ({ at }) => rmSync(at('site/pricing.html'))],
  ['a changed lockfile', ({ write }) => write('package-lock.json', '{"packages":{}}')],
  ['a removed output', ({ at }) => rmSync(at('out/asset.1/config.json'))],
  ['a removed template', ({ at }) => rmSync(at('out/stack.template.json'))],
  ['an output that was written half', ({ write }) => write('out/stack.template.json', '{"Resou')],
  ['a record that was written half', ({ write }) => write('synthesis.json', '{"synthesis":')],
])('%s needs a new synthesis', (_, change) => {
  const kept = keptSynthesis();
  expect(kept.cacheOf().get()).toBeDefined();
  change(kept);
  expect(kept.cacheOf().get()).toBeUndefined();
});

test('another site, and a synthesis that has begun, need a new synthesis', () => {
  const { cacheOf, at } = keptSynthesis();
  expect(cacheOf({ site: at('out') }).get()).toBeUndefined();
  cacheOf().clear();
  expect(cacheOf().get()).toBeUndefined();
});

test('a synthesis is not kept if a file that it read was saved meanwhile', () => {
  const { cacheOf, synthesis, write } = keptSynthesis();
  const began = Date.now() - 1;
  cacheOf().clear();
  write('infra/stages/stages.ts', 'export const logDays = 30;');
  cacheOf().keep(synthesis, began);
  expect(cacheOf().get()).toBeUndefined();
});
