import * as z from 'zod/mini';
import { product } from './product.ts';

const Words = z.string().check(z.trim(), z.minLength(1));

const Company = z.strictObject({ name: Words, purpose: Words, country: Words });

/**
 * `web/content/owner.json`: what only the owner of the product knows. Null is unknown: pages say so, and
 * production is not deployed. Values have no full stop, except where a whole sentence is asked for.
 */
export const Owner = z.strictObject({
  /** The seller's legal name: `Example, Inc.` */
  company: z.nullable(Words),
  /** The postal address in one line, without the country. */
  address: z.nullable(Words),
  country: z.nullable(Words),
  /** Whose law the terms follow: `the State of Delaware, United States`. */
  law: z.nullable(Words),
  /** Place and rules of the arbitration: `Dover, Delaware`, `the American Arbitration Association`. */
  arbitration: z.nullable(z.strictObject({ place: Words, rules: Words })),
  /** Companies that the app sends text to, each with what for: `analysis`, `rewriting`. */
  aiProviders: z.nullable(z.array(Company).check(z.minLength(1))),
  /** The models that answer, by the names that their makers give them. */
  models: z.nullable(z.array(Words).check(z.minLength(1))),
  /** How long they keep the text: `for at most 30 days`, `no longer than the answer takes`. */
  textAtProviders: z.nullable(Words),
  textTrainsModels: z.nullable(z.boolean()),
  /** Whether the text passes our servers. A product that keeps it there needs another policy first. */
  textOnOurServers: z.nullable(z.enum(['never', 'in transit'])),
  /**
   * How the app marks what AI has written, in a sentence. From December 2, 2026, article 50 of the European
   * Union's AI Act asks that machines can tell it, unless the AI only edits a text and keeps its sense.
   */
  aiMarking: z.nullable(Words),
  /** The oldest macOS, and the chips: `14`, `Apple silicon and Intel`. */
  macOS: z.nullable(z.strictObject({ oldest: z.string().check(z.regex(/^\d+(\.\d+){0,2}$/)), chips: Words })),
  /** Companies that handle personal data for us, AI providers apart. The code uses these. */
  processors: z.array(Company),
  /** The others: who holds the support mailbox, the disk image, the form for templates. */
  otherProcessors: z.nullable(z.array(Company)),
});
export type Owner = z.infer<typeof Owner>;

export const unknownsOf = (owner: Owner): string[] =>
  Object.entries(owner).flatMap(([setting, value]) => (value === null ? [setting] : []));

/**
 * The owner's facts in sentences, for documents (`{{owner.maker}}`) and pages. An unknown fact is an empty
 * text; `unpublished` names all that a page lacks. `aiProviders` and `processors` are lists in Markdown.
 */
export function ownerText(owner: Owner) {
  const { company, address, country, law, arbitration, macOS } = owner;
  const isNamed = company !== null && address !== null && country !== null;
  const maker: Unpublished = [isNamed || null, `who makes and sells ${product.name}`];
  const text: Unpublished[] = [
    [owner.aiProviders, 'who the AI providers are'],
    [owner.textOnOurServers, 'whether your text passes through our own servers'],
    [owner.textAtProviders, 'how long AI providers keep it'],
    [owner.textTrainsModels, 'whether models are trained on it'],
  ];
  return {
    maker: isNamed ? `${product.name} is made and sold by ${company}, ${address}, ${country}.` : '',
    /** `maker` where there is little room. */
    madeBy: company === null ? '' : `Made and sold by ${company}${country === null ? '' : `, ${country}`}.`,
    law: law === null ? '' : `The governing law is that of ${law}.`,
    arbitration:
      arbitration === null
        ? ''
        : `The arbitration takes place in ${arbitration.place}, under the rules of ${arbitration.rules}.`,
    aiProviders: listOf(owner.aiProviders ?? []),
    providerNames:
      owner.aiProviders === null
        ? ''
        : `They are ${nameList.format(owner.aiProviders.map(({ name }) => name))}.`,
    models: owner.models === null ? '' : `The answers come from ${nameList.format(owner.models)}.`,
    textAtProviders:
      owner.textAtProviders === null ? '' : `AI providers keep the text ${owner.textAtProviders}.`,
    training: {
      unknown: '',
      true: 'Models may be trained on the text.',
      false: 'Nobody trains models on the text.',
    }[`${owner.textTrainsModels ?? 'unknown'}`],
    ourServers: {
      unknown: '',
      never: 'The text goes from your Mac to the AI provider, and never reaches our own servers.',
      'in transit': 'On its way, the text passes through our own servers, which do not keep it.',
    }[owner.textOnOurServers ?? 'unknown'],
    aiMarking: owner.aiMarking ?? '',
    /** After "needs" or "runs on". */
    system: macOS === null ? 'macOS' : `macOS ${macOS.oldest} or later, on Macs with ${macOS.chips}`,
    macOS: macOS === null ? '' : `It runs on macOS ${macOS.oldest} or later, on Macs with ${macOS.chips}.`,
    processors: listOf([...owner.processors, ...(owner.otherProcessors ?? [])]),
    unpublished: {
      text: unpublished(text),
      values: unpublished([...text, [owner.models, 'which AI models answer'], maker]),
      privacy: unpublished([...text, [owner.otherProcessors, 'which other companies help us'], maker]),
      terms: unpublished([
        [macOS, 'which versions of macOS the app runs on'],
        [owner.aiMarking, 'how it marks what AI has written'],
        [law, 'whose law applies'],
        [arbitration, 'where and by which rules an arbitration takes place'],
        maker,
      ]),
    },
  };
}

type Unpublished = readonly [fact: unknown, name: string];

function unpublished(facts: readonly Unpublished[]): string {
  const names = facts.filter(([fact]) => fact === null).map(([, name]) => name);
  return names.length === 0 ? '' : `We haven’t published this yet: ${nameList.format(names)}.`;
}

const nameList = new Intl.ListFormat('en-US');

const listOf = (companies: readonly z.infer<typeof Company>[]): string =>
  companies.map(({ name, purpose, country }) => `- **${name}** (${country}): ${purpose}`).join('\n');
