import MiniSearch, { type Query } from 'minisearch';
import { stemmer } from 'stemmer';

/* Loaded when a search begins, with MiniSearch and the stemmer, so that no page carries them. */

/** An entry's texts in the order of their weight, all entries alike. */
export interface SearchText {
  id: string;
  texts: readonly string[];
  /** The entry that serves most people, before others of the same worth. */
  featured?: boolean | undefined;
}

export interface Found {
  /** Best first. */
  ids: readonly string[];
  /** No entry has every word: these have some. */
  closest: boolean;
  /** The parts of a text that the search found are every second. */
  piecesOf: (text: string) => string[];
}

/** Words that say nothing about what is looked for. */
const SMALL_WORDS = new Set(
  'a after am an and are as at be by can could do for from get give has have help how i i’m im in into is it less let like make me more my need of on one or please should so some somebody someone text that the this to too up us very use want we what with would write writing you your'.split(
    ' ',
  ),
);

/** A typed word of at least so many letters may have a slip in it. */
const LETTERS_OF_FUZZY = 5;

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/['’;]|\p{Cf}/gu, '')
    .toLowerCase();

/** Every second part is a word. */
const wordsAndGaps = (text: string): string[] => text.split(/([\p{L}\p{M}\p{N}'’-]+)/u);

/** `tl;dr` is a word, and so is `e-mail`. */
const wordsOf = (text: string): string[] => wordsAndGaps(plain(text)).filter((_, index) => index % 2 === 1);

/** `apologise`, `apologize` and `apologizing` have one. */
const stemOf = (word: string): string =>
  stemmer(
    word.replace(/is(?=e[drs]?$|ing$|ations?$)/, 'iz').replace(/(?<=..)our(?=s?$|ful$|ed$|ing$)/, 'or'),
  );

/** `follow-up` is found as `followup`, `follow` and `up`. */
const indexedAs = (word: string): string[] => [
  ...new Set([word.replaceAll('-', ''), ...word.split('-')].filter(Boolean).map(stemOf)),
];

const prefix = (stem: string) => stem.length > 2;
const fuzzy = (stem: string) => (stem.length >= LETTERS_OF_FUZZY ? 0.2 : false);
/** The first of these with a result counts. */
const attempts = [
  { combineWith: 'AND', prefix },
  { combineWith: 'AND', prefix, fuzzy },
  { combineWith: 'OR', prefix, fuzzy },
] as const;

/** Indexes texts. `synonyms`: words by the word of the texts that means the same. */
export function textIndex(
  entries: readonly SearchText[],
  synonyms: Readonly<Record<string, string>>,
): (search: string) => Found {
  const fields = (entries[0]?.texts ?? []).map((_, index) => String(index));
  const index = new MiniSearch<SearchText>({
    fields,
    extractField: (entry, field) => entry.texts[Number(field)] ?? entry[field as keyof SearchText],
    tokenize: wordsOf,
    processTerm: indexedAs,
    storeFields: ['featured'],
    searchOptions: {
      tokenize: wordsOf,
      processTerm: (word) => stemOf(word.replaceAll('-', '')),
      boost: Object.fromEntries(fields.map((field, at) => [field, fields.length - at])),
      boostDocument: (_id, _term, stored) => (stored?.['featured'] ? 2.5 : 1),
      // A long template isn't a worse one.
      bm25: { k: 1.2, b: 0.1, d: 0.5 },
    },
  });
  index.addAll(entries);

  const sameAs = new Map<string, string[]>();
  for (const [ours, theirs] of Object.entries(synonyms)) {
    for (const word of theirs.split(' '))
      sameAs.set(stemOf(word), [...(sameAs.get(stemOf(word)) ?? []), ours]);
  }

  /** A word, or one that means the same. */
  const eitherOf = (word: string): Query => ({
    combineWith: 'OR',
    queries: [
      { queries: [word], boostTerm: () => 2 },
      { queries: sameAs.get(stemOf(word.replaceAll('-', ''))) ?? [] },
    ],
  });
  return (search) => {
    const words = wordsOf(search);
    const meaningful = words.filter((word) => !SMALL_WORDS.has(word));
    const queries = (meaningful.length > 0 ? meaningful : words).map(eitherOf);
    for (const attempt of attempts) {
      const results = index.search({ ...attempt, queries });
      if (results.length === 0) continue;
      const terms = new Set(results.flatMap((result) => result.terms));
      return {
        ids: results.map(({ id }) => String(id)),
        closest: attempt.combineWith === 'OR' && queries.length > 1,
        piecesOf: (text) => piecesOf(text, (word) => indexedAs(plain(word)).some((stem) => terms.has(stem))),
      };
    }
    return { ids: [], closest: false, piecesOf: (text) => [text] };
  };
}

function piecesOf(text: string, isFound: (word: string) => boolean): string[] {
  const pieces = [''];
  for (const [index, part] of wordsAndGaps(text).entries()) {
    if (index % 2 === 1 && isFound(part)) pieces.push(part, '');
    else pieces[pieces.length - 1] += part;
  }
  return pieces;
}
