import { synonyms } from 'virtual:content/synonyms';
import { words } from 'virtual:content/template-words';
import { templateIndex } from './template-index.ts';

/* Loaded when a search begins. */

const search = templateIndex(words, synonyms);

/** Finds templates, with the commands in which a word was found. */
export function searchTemplates(text: string) {
  const found = search(text);
  const commandsOf = (id: string): string[] =>
    words
      .filter((template) => template.id === id)
      .flatMap(({ commands }) => commands.filter((command) => found.piecesOf(command).length > 1));
  return { ...found, commandsOf };
}
export type FoundTemplates = ReturnType<typeof searchTemplates>;
