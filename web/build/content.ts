import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { marked } from 'marked';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod/mini';
import {
  type Article,
  ArticleFrontMatter,
  type Help,
  HelpFrontMatter,
  type HelpTopic,
  type LegalDocument,
  LegalFrontMatter,
  LegalSectionFrontMatter,
} from '../../schemas/content/front-matter.ts';
import { legalVersions } from '../../schemas/product/legal-versions.ts';
import { Owner, ownerText } from '../../schemas/product/owner.ts';
import { free, mainOffer, paidNames, paidPlans, plans } from '../../schemas/product/offers.ts';
import { limits, product } from '../../schemas/product/product.ts';
import { refunds } from '../../schemas/product/refund-text.ts';
import { type Release, ReleaseFrontMatter } from '../../schemas/content/release.ts';
import { retention } from '../../schemas/product/retention.ts';
import { Template } from '../../schemas/content/template.ts';

export const contentFolder = path.resolve(import.meta.dirname, '../content');

/** A file that doesn't match its schema. The message is a sentence that names the file and the field. */
export class ContentFault extends Error {
  override name = 'ContentFault';
}

/** Newest first. */
export function readArticles(folder = contentFolder): Article[] {
  return readUnique(folder, 'articles', ArticleFrontMatter, 'id').toSorted(
    (a, b) => b.date.localeCompare(a.date) || b.id - a.id,
  );
}

export function readHelp(folder = contentFolder): Help {
  const tab = (id: keyof Help): HelpTopic[] =>
    filesIn(folder, `help/${id}`, '.md').map((file) => ({
      slug: slugOf(file),
      ...readText(folder, file, HelpFrontMatter),
    }));
  return {
    'getting-started': tab('getting-started'),
    shortcuts: tab('shortcuts'),
    faq: tab('faq'),
    contact: tab('contact'),
  };
}

export function readLegal(name: 'terms' | 'privacy', folder = contentFolder): LegalDocument {
  const sections = filesIn(folder, `legal/${name}`, '.md').filter((file) => !file.endsWith('/document.md'));
  return {
    ...readText(folder, `legal/${name}/document.md`, LegalFrontMatter),
    sections: sections.map((file) => {
      const { title, content } = readText(folder, file, LegalSectionFrontMatter);
      return { title, slug: slugOf(file), content };
    }),
  };
}

/** The featured template, then the others by the names of their files. */
export function readTemplates(folder = contentFolder): Template[] {
  const templates = filesIn(folder, 'templates', '.yaml').map((file) => {
    const template = readData(folder, file, Template);
    if (template.id !== path.basename(file, '.yaml')) {
      throw new ContentFault(`${file}: the field "id" is ${template.id}, and should be the file's name.`);
    }
    return template;
  });
  return templates.toSorted((a, b) => Number(b.featured ?? false) - Number(a.featured ?? false));
}

/** Words that people search by, after the word of our texts that means the same. */
export const readSynonyms = (folder = contentFolder): Record<string, string> =>
  readData(folder, 'synonyms.yaml', z.record(z.string(), z.string()));

/** The releases of the app, newest first by version. */
export function readChangelog(folder = contentFolder): Release[] {
  return readUnique(folder, 'changelog', ReleaseFrontMatter, 'version').toSorted((a, b) =>
    b.version.localeCompare(a.version, 'en', { numeric: true }),
  );
}

/** The texts of a folder, no two of which have the same value in this field. */
function readUnique<S extends z.ZodMiniObject>(
  folder: string,
  below: string,
  frontMatter: S,
  field: string & keyof z.output<S>,
) {
  const first = new Map<unknown, string>();
  return filesIn(folder, below, '.md').map((file) => {
    const text = readText(folder, file, frontMatter);
    const value = text[field];
    const other = first.get(value);
    if (other) {
      throw new ContentFault(
        `${file}: the field "${field}" is ${String(value)}, which ${other} already has.`,
      );
    }
    first.set(value, file);
    return text;
  });
}

/** The facts that only the owner knows, in sentences. */
export const readOwner = (folder = contentFolder): ReturnType<typeof ownerText> =>
  ownerText(readData(folder, 'owner.json', Owner));

/** Sorted by name: files whose order matters begin with a number. */
function filesIn(folder: string, below: string, ending: string): string[] {
  // Git keeps no empty folder.
  if (!existsSync(path.join(folder, below))) return [];
  return readdirSync(path.join(folder, below), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => `${below}/${entry.name}`)
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** `legal/terms/03-who-may-use.md` is `who-may-use`. */
const slugOf = (file: string): string => path.basename(file, '.md').replace(/^\d+-/, '');

/** JSON is YAML, too. */
function readData<S extends z.ZodMiniType>(folder: string, file: string, schema: S): z.output<S> {
  const text = attempt(file, 'it is not there', () => readFileSync(path.join(folder, file), 'utf8'));
  const format = path.extname(file).slice(1).toUpperCase();
  return checked(
    file,
    schema,
    attempt(file, `it is not ${format}`, () => parseYaml(text) as unknown),
  );
}

function readText<S extends z.ZodMiniObject>(
  folder: string,
  file: string,
  frontMatter: S,
): z.output<S> & { content: string } {
  const text = attempt(file, 'it is not there', () => readFileSync(path.join(folder, file), 'utf8'));
  const [, head, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(text.replaceAll('\r\n', '\n')) ?? [];
  if (head === undefined || body === undefined) {
    throw new ContentFault(`${file}: it does not begin with front matter between two lines of ---.`);
  }
  const yaml = withFacts(folder, file, head);
  const fields = attempt(file, 'its front matter is not YAML', () => parseYaml(yaml) as unknown);
  const markdown = withFacts(folder, file, body).trim();
  if (markdown === '') throw new ContentFault(`${file}: there is no text below its front matter.`);
  return {
    ...checked(file, frontMatter, fields),
    content: marked.parse(markdown, { async: false }),
  };
}

function checked<S extends z.ZodMiniType>(file: string, schema: S, value: unknown): z.output<S> {
  const result = z.safeParse(schema, value, { error: inWords });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue?.path.join('.');
  const subject = field ? `the field "${field}"` : 'it';
  throw new ContentFault(`${file}: ${subject} is not right, because ${issue?.message}.`);
}

/** Messages for zod's issues: zod/mini has none of its own. */
const inWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined ? 'it is missing' : `it should be of the type ${issue.expected}`;
  }
  if (issue.code === 'invalid_value') return `it should be one of: ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_format') return `it should look like ${issue.pattern ?? issue.format}`;
  if (issue.code === 'too_small') return 'it is empty';
  if (issue.code === 'unrecognized_keys') return 'nothing is known by that name';
  return 'it does not fit the schema';
};

/** The owner's facts are read only for a document that uses one. */
const factsIn = (folder: string): unknown => ({
  product,
  free,
  offer: mainOffer,
  paid: { names: paidNames, terms: paidTerms() },
  limits,
  retention,
  refunds,
  legal: legalVersions,
  get owner() {
    return readOwner(folder);
  },
  /** The occasions of mails, as the test of mails writes them. */
  get emails() {
    return readFileSync(path.join(folder, 'legal/emails.md'), 'utf8').trim();
  },
});

/** A line of Markdown for each paid plan: its features. A buyer agrees to the price at the purchase. */
function paidTerms(): string {
  return paidPlans
    .map((plan) => {
      const features = plans[plan].features.map((feature) => feature[0]?.toLowerCase() + feature.slice(1));
      const last = features.pop();
      return `- **${plans[plan].name}** costs what the pricing page says when you buy it. It includes ${features.join(', ')} and ${last}.`;
    })
    .join('\n');
}

/** Replaces placeholders such as {{free.price}} with facts about the product. */
export function withFacts(folder: string, file: string, text: string): string {
  const facts = factsIn(folder);
  return text.replaceAll(/\{\{\s*([\w.]+)\s*\}\}/g, (_, name: string) => {
    const fact = name.split('.').reduce<unknown>(partOf, facts);
    if (typeof fact === 'string' || typeof fact === 'number') return String(fact);
    throw new ContentFault(
      `${file}: the field "{{${name}}}" is no fact of schemas/product/product.ts, retention.ts or owner.ts.`,
    );
  });
}

function partOf(whole: unknown, name: string): unknown {
  const isThere = typeof whole === 'object' && whole !== null && Object.hasOwn(whole, name);
  return isThere ? (whole as Record<string, unknown>)[name] : undefined;
}

function attempt<T>(file: string, otherwise: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new ContentFault(`${file}: ${otherwise}.`, { cause });
  }
}
