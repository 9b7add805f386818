import type { Rolldown } from 'vite';

/** The files in web/fonts that every page needs, and those that its text may need. */
const ALWAYS = ['sans', 'serif'];
const IN_TEXT: readonly [file: string, text: RegExp][] = [
  ['serif-italic', /<i>/],
  ['sans-italic', /<em>/],
];

/**
 * Links that load a page's fonts in parallel with its HTML. A browser that has the fonts before the first
 * paint shows them; Chromium delays that paint by at most 50 ms.
 * https://web.dev/articles/preload-optional-fonts
 *
 * `body` is the page's rendered HTML.
 */
export function fontPreloads(body: string, bundle: Rolldown.OutputBundle): string {
  const inText = IN_TEXT.filter(([, text]) => text.test(body)).map(([file]) => file);
  return [...ALWAYS, ...inText]
    .map(
      (name) =>
        `<link rel="preload" href="/${fileOf(name, bundle)}" as="font" type="font/woff2" crossorigin />`,
    )
    .join('\n    ');
}

/** The built file's name, which includes a hash. */
function fileOf(name: string, bundle: Rolldown.OutputBundle): string {
  const asset = Object.values(bundle).find(
    (output) => output.type === 'asset' && output.names.includes(`${name}.woff2`),
  );
  if (!asset) throw new Error(`The build has no font ${name}.`);
  return asset.fileName;
}
