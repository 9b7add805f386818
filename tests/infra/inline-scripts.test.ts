import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { inlineScriptSources } from '../../infra/constructs/website/inline-scripts.ts';

function siteOf(files: Record<string, string>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'selfsame-inline-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return folder;
}
const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('every inline script of a page is allowed by its hash, once, spaces and line ends included', () => {
  const text = '\n  begin();\n';
  const site = siteOf({
    'index.html': `<head><script data-a="1">${text}</script></head>`,
    'articles/1.html': `<script data-a="2">${text}</script>\n<SCRIPT type="module">more()</SCRIPT>`,
  });
  expect(inlineScriptSources(site)).toEqual([sourceOf(text), sourceOf('more()')].toSorted());
});

test('script files, data and text that only looks like a script get no hash', () => {
  const site = siteOf({
    'index.html': [
      '<script src="/a.js"></script>',
      '<script type="application/ld+json">{"a":1}</script>',
      '<p>&lt;script&gt;no()&lt;/script&gt;</p>',
    ].join('\n'),
    'notes.txt': '<script>no()</script>',
  });
  expect(inlineScriptSources(site)).toEqual([]);
});
