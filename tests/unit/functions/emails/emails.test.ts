import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { newSignInEmail } from '../../../../functions/emails/new-sign-in.ts';
import type { Notice } from '../../../../functions/emails/layout.ts';
import { lowestPaidPlan, plans } from '../../../../schemas/product/offers.ts';
import { product } from '../../../../schemas/product/product.ts';
import { leftOutIn } from '../../../fixtures/repository/left-out-words.ts';

const siteUrl = 'https://site.example';
const folder = 'functions/emails';

interface Example {
  file: string;
  occasion: string;
  variant: string;
  mail: Notice;
}

const examples: Example[] = [];
for (const file of readdirSync(folder).toSorted()) {
  const module = (await import(path.resolve(folder, file))) as Record<string, unknown>;
  for (const email of Object.values(module)) {
    if (typeof email !== 'function' || !('composeExamples' in email)) continue;
    const { occasion, composeExamples } = email as typeof newSignInEmail;
    for (const [variant, mail] of Object.entries(await composeExamples(siteUrl))) {
      examples.push({ file, occasion, variant, mail });
    }
  }
}

/** A text that other names of product and plan leave as it is. */
const withoutProduct = (text: string): string =>
  text
    .replaceAll(product.supportEmail, '{{supportEmail}}')
    .replaceAll(product.tagline, '{{tagline}}')
    .replaceAll(product.name, '{{name}}')
    .replaceAll(plans[lowestPaidPlan].name, '{{plan}}');

/** The lines of a mail's example, without the sentence that ends every mail. */
const linesOf = ({ variant, mail }: Example): string[] => [
  `# ${mail.name}, ${variant}`,
  `Subject: ${withoutProduct(mail.subject)}`,
  ...withoutProduct(mail.text).split('\n\n').slice(0, -1),
];

/** An example. Lines in a row that the first example of its mail has too are named by their numbers. */
function textOf(example: Example): string {
  const first = examples.find(({ mail }) => mail.name === example.mail.name) ?? example;
  const [title, ...lines] = linesOf(example);
  if (first === example) return [title, ...lines, ''].join('\n');
  const known = linesOf(first);
  const shown: string[] = [];
  for (let at = 0; at < lines.length;) {
    const from = known.indexOf(lines[at] ?? '');
    const ends = lines.slice(at).findIndex((line, index) => line !== known[from + index]);
    const count = from === -1 ? 1 : ends === -1 ? lines.length - at : ends;
    shown.push(count === 1 ? (lines[at] ?? '') : `(lines ${from} to ${from + count - 1} of the first)`);
    at += count;
  }
  return [title, ...shown, ''].join('\n');
}

const SUPPORT = `mailto:${product.supportEmail}`;
const INVOICE = 'https://invoice.stripe.com/i/1';

const linksIn = ({ html }: Notice): string[] =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

/** The text of a mail's HTML. */
const readable = ({ html }: Notice): string =>
  html
    .replaceAll(/<\/(?:p|h1)>\s*(?:<p[^>]*>)?/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

test('every mail reads as its examples were reviewed', async () => {
  await expect(examples.map(textOf).join('\n')).toMatchFileSnapshot('examples.txt');
});

test('a mail with a button and a code is laid out as it was reviewed', async () => {
  const { mail } = examples.find(({ mail: { name } }) => name === 'confirmation') ?? {};
  await expect(withoutProduct(mail?.html ?? '')).toMatchFileSnapshot('confirmation-html.txt');
});

test('the privacy policy lists the occasion of every mail', async () => {
  const occasions = new Set(examples.map(({ occasion }) => occasion));
  const list = `${[...occasions].map((occasion) => `- ${occasion}`).join(';\n')}.\n`;
  await expect(list).toMatchFileSnapshot(path.resolve('web/content/legal/emails.md'));
});

test('every mail has its own file, which has its name, and an example', () => {
  const parts = ['define-email', 'example-facts', 'layout', 'moment', 'plan-terms', 'ways-in'];
  const files = readdirSync(folder).filter((file) => !parts.includes(path.basename(file, '.ts')));
  expect([...new Set(examples.map(({ file }) => file))]).toEqual(files.toSorted());
  expect(examples.filter(({ file, mail }) => file !== `${mail.name}.ts`)).toEqual([]);
});

describe.each(examples.map((example) => [example.mail.name, example.variant, example] as const))(
  '%s, %s,',
  (_name, _variant, { mail }) => {
    test('loads no remote resource, misses no value, and has no markup in its text', () => {
      expect(mail.html).not.toMatch(/<(img|script|link|iframe)|url\(|src=|undefined|NaN/i);
      expect(mail.text).not.toMatch(/<[a-z!/]|undefined|NaN/i);
    });

    test('says all of its text in its HTML too, and has all links in both', () => {
      const links = linksIn(mail).filter((link) => link !== SUPPORT);
      expect(links.filter((link) => !mail.text.includes(link))).toEqual([]);
      const paragraphs = mail.text.split('\n\n').map((each) => each.replace(/: https:\S+$/, ''));
      expect(paragraphs.filter((each) => !readable(mail).includes(each))).toEqual([]);
    });

    test('links to the site, to an invoice and to support alone, with secrets after the #', () => {
      for (const link of linksIn(mail)) {
        expect(link.startsWith(`${siteUrl}/`) || link === INVOICE || link === SUPPORT).toBe(true);
        expect(link).not.toMatch(/[^#]ada\.secret/);
      }
    });
  },
);

test('only the mails that were asked for a code have a code, or a link with a code', () => {
  const withCode = examples.filter(({ mail }) =>
    /\b\d{6}\b/.test(`${mail.subject} ${mail.text} ${mail.html}`),
  );
  expect([...new Set(withCode.map(({ mail }) => mail.name))]).toEqual(['confirmation']);
});

test('a mail escapes what others have written', () => {
  const kind = '<a href="https://evil.example">';
  const mail = newSignInEmail({ siteUrl, at: new Date(0), kind, hasPassword: true });
  expect(mail.html).toContain('&lt;a href=');
  expect(linksIn(mail).join(' ')).not.toContain('evil');
});

test('no mail has a word that web/README.md leaves out', () => {
  expect(examples.flatMap(({ mail: { subject, text } }) => leftOutIn(`${subject} ${text}`))).toEqual([]);
});
