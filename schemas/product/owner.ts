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
  /** How long they keep the text: `for at most 30 days`, `no longer than the answer takes`. */
  textAtProviders: z.nullable(Words),
  /** Whether anybody trains models with the text. */
  textTrainsModels: z.nullable(z.boolean()),
  /**
   * Whether the text reaches our servers on its way, which don't keep it. A product that keeps it needs
   * another policy first.
   */
  textOnOurServers: z.nullable(z.enum(['never', 'in transit'])),
  /** How the app marks what AI has written, in a sentence, for the AI Act of the European Union. */
  aiMarking: z.nullable(Words),
  /** The oldest macOS, and the chips: `14`, `Apple silicon and Intel`. */
  macOS: z.nullable(z.strictObject({ oldest: z.string().check(z.regex(/^\d+(\.\d+){0,2}$/)), chips: Words })),
  /** Companies that handle personal data for us, AI providers apart. The code uses these. */
  processors: z.array(Company),
  /** The others: who holds the support mailbox, the disk image, the form for templates. */
  otherProcessors: z.nullable(z.array(Company)),
});
export type Owner = z.infer<typeof Owner>;

/** The settings that are still unknown. */
export const unknownsOf = (owner: Owner): string[] =>
  Object.entries(owner).flatMap(([setting, value]) => (value === null ? [setting] : []));

/**
 * The owner's facts in whole sentences, for documents (`{{owner.maker}}`) and pages. An unknown fact has a
 * sentence that says so. `aiProviders` and `processors` are lists in Markdown.
 */
export function ownerText(owner: Owner) {
  const { company, address, country, law, arbitration, macOS } = owner;
  const others = owner.otherProcessors;
  return {
    maker:
      company === null || address === null || country === null
        ? `The company that makes and sells ${product.name}, and its address, are not named here yet.`
        : `${product.name} is made and sold by ${company}, ${address}, ${country}.`,
    /** `maker` where there is no room to say that it is unknown. */
    madeBy: company === null ? '' : `Made and sold by ${company}${country === null ? '' : `, ${country}`}.`,
    law: law === null ? 'Whose law applies is not stated here yet.' : `The governing law is that of ${law}.`,
    arbitration:
      arbitration === null
        ? 'The place and the rules of the arbitration are not stated here yet.'
        : `The arbitration takes place in ${arbitration.place}, under the rules of ${arbitration.rules}.`,
    aiProviders: owner.aiProviders === null ? 'They are not named here yet.' : listOf(owner.aiProviders),
    providerNames:
      owner.aiProviders === null
        ? 'Which companies they are is not stated here yet.'
        : `They are ${nameList.format(owner.aiProviders.map(({ name }) => name))}.`,
    textAtProviders:
      owner.textAtProviders === null
        ? 'How long AI providers keep the text is not stated here yet.'
        : `AI providers keep the text ${owner.textAtProviders}.`,
    training: {
      unknown: 'Whether models are trained on the text is not stated here yet.',
      true: 'Models may be trained on the text.',
      false: 'Nobody trains models on the text.',
    }[`${owner.textTrainsModels ?? 'unknown'}`],
    ourServers: {
      unknown: 'Whether the text passes through our own servers is not stated here yet.',
      never: 'The text goes from your Mac to the AI provider, and never reaches our own servers.',
      'in transit': 'On its way, the text passes through our own servers, which do not keep it.',
    }[owner.textOnOurServers ?? 'unknown'],
    aiMarking: owner.aiMarking ?? 'How the app marks what AI has written is not stated here yet.',
    /** After "needs" or "runs on". */
    system: macOS === null ? 'macOS' : `macOS ${macOS.oldest} or later, on Macs with ${macOS.chips}`,
    macOS:
      macOS === null
        ? 'Which versions of macOS it runs on is not stated here yet.'
        : `It runs on macOS ${macOS.oldest} or later, on Macs with ${macOS.chips}.`,
    processors: [
      listOf([...owner.processors, ...(others ?? [])]),
      ...(others === null ? ['Others are not named here yet.'] : []),
    ].join('\n\n'),
  };
}

const nameList = new Intl.ListFormat('en-US');

const listOf = (companies: readonly z.infer<typeof Company>[]): string =>
  companies.map(({ name, purpose, country }) => `- **${name}** (${country}): ${purpose}`).join('\n');
