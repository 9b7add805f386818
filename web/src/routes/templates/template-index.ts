import type { TemplateWords } from '../../../../schemas/content/template.ts';
import { textIndex } from '../../components/search/text-index.ts';

/** The names of commands weigh most, then the template's name, keywords and contexts, and the summary. */
export const templateIndex = (templates: readonly TemplateWords[], synonyms: Record<string, string>) =>
  textIndex(
    templates.map(({ id, featured, name, summary, keywords = '', categories, commands, contexts }) => ({
      id,
      featured,
      texts: [commands.join('. '), name, [keywords, ...contexts, ...categories].join('. '), summary],
    })),
    synonyms,
  );
