import { addressOf } from './page-head.ts';

const PARTS = /<(\/?)([a-z][\da-z]*)((?:"[^"]*"|[^">])*)>|([^<]+)/g;
const VOID = new Set(['br', 'hr', 'img', 'input', 'wbr']);
/** Elements that only a script or a picture gives a meaning. */
const LEFT_OUT = /^(button|figure|form|label|noscript|output|script|search|style|svg)$/;
const DRAWN = /aria-hidden="true"|role="(img|tablist)"/;
const MARKS: Readonly<Record<string, string>> = { b: '**', strong: '**', i: '*', em: '*', code: '`' };
const BLOCKS: Readonly<Record<string, string>> = {
  h1: '# ',
  h2: '## ',
  h3: '### ',
  h4: '#### ',
  li: '- ',
  dt: '### ',
};

/** The content of a built page as Markdown, without its drawings and controls. */
export function markdownOf(html: string): string {
  const [, main = ''] = /<main[^>]*>([^]*)<\/main>/.exec(html) ?? [];
  let text = '';
  // The number of open elements below one that is left out.
  let left = 0;
  let cells = 0;
  const links: string[] = [];
  for (const [, closing, name = '', attributes = '', words] of main
    .replaceAll(/<!--.*?-->|<(?:b|i)><\/(?:b|i)>/g, '')
    .matchAll(PARTS)) {
    if (words !== undefined) {
      if (left === 0) text += unescaped(words).replaceAll(/\s+/g, ' ');
    } else if (closing) {
      if (left > 0) left -= 1;
      else if (name === 'a') text += `](${links.pop()})`;
      else if (name === 'thead') text += `\n${'| --- '.repeat(cells)}|`;
      else if (name === 'tr') text += ' |';
      else if (!/^t[dh]$/.test(name)) text += MARKS[name] ?? (isInline(name) ? '' : '\n\n');
    } else if (left > 0 || LEFT_OUT.test(name) || DRAWN.test(attributes)) {
      if (!VOID.has(name)) left += 1;
    } else if (name === 'a') {
      const [, href = ''] = /href="([^"]*)"/.exec(attributes) ?? [];
      links.push(href.startsWith('/') ? addressOf(unescaped(href)) : unescaped(href));
      text += '[';
    } else if (name === 'tr') {
      cells = 0;
      text += '\n';
    } else if (/^t[dh]$/.test(name)) {
      cells += 1;
      text += cells === 1 ? '| ' : ' | ';
    } else {
      text += MARKS[name] ?? (isInline(name) ? '' : `\n\n${BLOCKS[name] ?? ''}`);
    }
  }
  return `${text
    .replaceAll(/ *\n */g, '\n')
    .replaceAll(/\n-(?:\n+-)+\n/g, '\n-\n')
    .replaceAll(/\n([#-]+)\n+/g, '\n$1 ')
    .replaceAll(')[', ') [')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

const isInline = (name: string): boolean => /^(abbr|kbd|mark|q|small|span|tbody|thead|time)$/.test(name);

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  '#39': "'",
  amp: '&',
};

const unescaped = (text: string): string =>
  text.replaceAll(/&(lt|gt|quot|#x27|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? '');
