/** Words that say nothing about what is looked for. */
const SMALL_WORDS = new Set(
  'a an and at by can do for from how i in into is it make me my of on or please some text that the this to what with write'.split(
    ' ',
  ),
);

/** Words of people, each line behind the word that our texts use. */
const SYNONYMS = `
translate: german french spanish italian portuguese japanese chinese korean dutch polish turkish arabic hindi language
rewrite: simplify improve better enhance polish reformulate clearer clear simpler professionally
shorten: concise shorter cut trim condense
summarize: tldr gist recap key points overview
polite: professional formal formality business
kind: friendly warm warmer nicer casual
reply: slack teams whatsapp chat
announcement: linkedin tweet twitter post blog social media ad ads advertising
grammar: typo typos mistakes punctuation
action: todo todos task tasks
page: article website webpage document
story: character plot chapter
student: essay university college
`
  .trim()
  .split('\n')
  .map((line) => line.split(/:? /));

/** Text without capitals, accents, hyphens and curved apostrophes: `e-mail` finds `email`. */
const plain = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('-', '').replaceAll('’', "'").toLowerCase();

/** Every second part is a word. */
const parts = (text: string): string[] => text.split(/([\p{L}\p{M}\p{N}'’-]+)/u);

const wordsOf = (text: string): string[] => parts(plain(text)).filter((_, index) => index % 2 === 1);

/** `replies` and `reply` share one. */
const stemOf = (word: string): string =>
  word.replace(/(?<=.{3})(ies|ing|ed|er|es|ly|is[mt]|(?<!s)s|y|e)$/, '').replace(/([bgmnpt])\1$/, '$1');

/** A word of a search, with the words that mean the same. */
type Sought = readonly string[];

export function soughtIn(search: string): readonly Sought[] {
  const words = wordsOf(search);
  const meaningful = words.filter((word) => !SMALL_WORDS.has(word));
  return (meaningful.length > 0 ? meaningful : words).map((word) => [
    word,
    ...SYNONYMS.filter((line) => line.includes(word)).map(([ours = '']) => ours),
  ]);
}

/** How well a plain word fits, below one. Zero: not at all. Only beginnings of words fit. */
function fitOf(word: string, sought: Sought): number {
  const [typed = ''] = sought;
  if (word === typed) return 0.9;
  if (word.startsWith(typed)) return 0.7;
  return sought.some((each) => stemOf(word).startsWith(stemOf(each))) ? 0.5 : 0;
}

/** The entries that have every word of the search, best first. `textsOf`: in the order of their weight. */
export function sortedBySearch<T>(
  entries: readonly T[],
  search: string,
  textsOf: (entry: T) => readonly string[],
): T[] {
  const sought = soughtIn(search);
  return entries
    .map((entry) => ({ entry, score: scoreOf(textsOf(entry), sought) }))
    .filter(({ score }) => score !== undefined)
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .map(({ entry }) => entry);
}

/**
 * How well an entry fits, whose texts are in the order of their weight. Undefined: a word of the search is
 * missing in all of them.
 */
function scoreOf(texts: readonly string[], search: readonly Sought[]): number | undefined {
  const words = texts.map(wordsOf);
  let score = 0;
  for (const sought of search) {
    const fits = words.map((ofText) => Math.max(0, ...ofText.map((word) => fitOf(word, sought))));
    const first = fits.findIndex((fit) => fit > 0);
    if (first === -1) return undefined;
    // Among entries of one weight, that with the word in more texts is first.
    const further = fits.filter((fit) => fit > 0).length / 100;
    score += texts.length - first + (fits[first] ?? 0) + further;
  }
  return score;
}

/** The text in pieces. Every second piece is sought. */
export function piecesOf(text: string, search: readonly Sought[]): string[] {
  if (search.length === 0) return [text];
  const pieces = [''];
  for (const part of parts(text)) {
    const isSought = search.some((sought) => fitOf(plain(part), sought) > 0);
    if (isSought) pieces.push(part, '');
    else pieces[pieces.length - 1] += part;
  }
  return pieces;
}
