import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { confirmationEmail } from '../../../../../functions/emails/confirmation.ts';

const read = (path: string) => readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8');

function declarations(block: string): Record<string, string> {
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

const [lightBlock = '', darkBlock = ''] = read('web/src/styles/tokens.css').split('@media screen and');
const light = declarations(lightBlock);
const schemes = { light, dark: { ...light, ...declarations(darkBlock) } };

function colour(tokens: Record<string, string>, name: string): string {
  const value = tokens[name] ?? '';
  const reference = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
  return reference ? colour(tokens, reference) : value;
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(hex: string): number {
  expect(hex).toMatch(/^#[\da-f]{6}$/);
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function ratio(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The pairs of `fronts` and `backs` whose contrast is below `least`, with the contrast. */
function tooClose(
  tokens: Record<string, string>,
  fronts: readonly string[],
  backs: readonly string[],
  least: number,
): string[] {
  return fronts.flatMap((front) =>
    backs
      .map((back) => ({ back, contrast: ratio(colour(tokens, front), colour(tokens, back)) }))
      .filter(({ contrast }) => contrast < least)
      .map(({ back, contrast }) => `${front} on ${back}: ${contrast.toFixed(2)}`),
  );
}

const grounds = ['paper', 'surface', 'raised', 'sunken', 'field', 'window-bar'];
const strips = ['highlight-soft', 'danger-soft', 'success-soft'];

describe.each(Object.entries(schemes))('in the %s scheme', (_, tokens) => {
  test('text has the contrast that WCAG AA asks for on everything that it stands on', () => {
    expect([
      ...tooClose(tokens, ['ink'], [...grounds, ...strips, 'screen'], 4.5),
      ...tooClose(tokens, ['ink-soft'], [...grounds, 'highlight-soft'], 4.5),
      ...tooClose(tokens, ['danger'], ['paper', 'surface', 'raised', 'danger-soft'], 4.5),
      ...tooClose(tokens, ['success'], ['paper', 'surface', 'success-soft'], 4.5),
      ...tooClose(tokens, ['on-highlight'], ['highlight'], 4.5),
      ...tooClose(tokens, ['on-action'], ['action', 'danger'], 4.5),
      ...tooClose(tokens, ['on-night', 'highlight'], ['night'], 4.5),
    ]).toEqual([]);
  });

  test('what can be operated, and the focus around it, is three times as light or dark as its ground', () => {
    expect([
      ...tooClose(tokens, ['line-strong', 'edge', 'focus', 'action'], grounds, 3),
      ...tooClose(tokens, ['edge', 'focus'], strips, 3),
      ...tooClose(tokens, ['highlight'], ['night'], 3),
    ]).toEqual([]);
  });

  test('lines are visible on every ground, and quieter than edges', () => {
    expect(tooClose(tokens, ['line'], ['paper', 'surface', 'raised'], 1.25)).toEqual([]);
    expect(ratio(colour(tokens, 'line'), colour(tokens, 'paper'))).toBeLessThan(2);
  });
});

describe('in the dark scheme alone', () => {
  const dark = schemes.dark;
  const of = (name: string) => colour(dark, name);

  /** How much lighter `near` is than `far`. Below 1 if it is darker. */
  const step = (near: string, far: string) => (luminance(of(near)) + 0.05) / (luminance(of(far)) + 0.05);

  test.each<[string, string, number]>([
    ['paper', 'sunken', 1.07],
    ['surface', 'paper', 1.07],
    ['raised', 'surface', 1.07],
    ['window-bar', 'surface', 1.07],
    ['night', 'surface', 1.7],
    ['night', 'paper', 2],
    ...strips.map((strip): [string, string, number] => [strip, 'surface', 1.05]),
  ])('%s is nearer than %s, and lighter by enough to be seen', (near, far, least) => {
    expect(step(near, far)).toBeGreaterThan(least);
  });

  test('text is not pure white', () => {
    expect(luminance(of('ink'))).toBeLessThan(0.85);
  });
});

test("the browser's own bar has the colour of the page", () => {
  const page = read('web/index.html');
  for (const [scheme, tokens] of Object.entries(schemes)) {
    expect(page).toContain(`content="${colour(tokens, 'paper')}" media="(prefers-color-scheme: ${scheme})"`);
  }
});

test("mails and the manifest use the palette's colours, and no other", () => {
  const { html } = confirmationEmail({
    siteUrl: 'https://a.example',
    email: 'a@example.com',
    token: 'a-token',
    code: '123456',
  });
  const palette = new Set(Object.values(schemes).flatMap((tokens) => Object.values(tokens)));
  const used = [html, read('web/build/site-files.ts')].flatMap((text) => text.match(/#[\da-f]{6}\b/g) ?? []);
  expect(used.filter((value) => !palette.has(value))).toEqual([]);
});
