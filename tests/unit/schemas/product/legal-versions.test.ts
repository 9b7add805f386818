import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { legalVersions } from '../../../../schemas/product/legal-versions.ts';

/**
 * The text of each version, as a hash of its files. A text that users have accepted needs a new version, with
 * a new line here. A text that was never deployed may replace its hash.
 */
const texts = {
  terms: { '1.0': '5aacecfa0a0cdd8c' },
  privacy: { '1.0': '723fb271689916b1' },
};

test.each(['terms', 'privacy'] as const)('the text of %s changes only with its version', (name) => {
  const hash = createHash('sha256');
  for (const file of globSync(`web/content/legal/${name}/*.md`).toSorted()) {
    hash.update(`${file}\0${readFileSync(file, 'utf8').replaceAll('\r\n', '\n')}\0`);
  }
  const { version } = legalVersions[name];
  expect({ [version]: hash.digest('hex').slice(0, 16) }).toEqual({ [version]: texts[name][version] });
});
