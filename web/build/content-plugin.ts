import type { Plugin } from 'vite';
import type { Article } from '../../schemas/content/front-matter.ts';
import type {
  Template,
  TemplateDetails,
  TemplateSummary,
  TemplateWords,
} from '../../schemas/content/template.ts';
import {
  contentFolder,
  readArticles,
  readChangelog,
  readHelp,
  readLegal,
  readOwner,
  readSynonyms,
  readTemplates,
} from './content.ts';
import { downloadOf, inMegabytes, systemOf } from './releases.ts';

const PREFIX = 'virtual:content/';
// The zero byte tells other plugins that the id is not a file.
const RESOLVED = `\0${PREFIX}`;

/**
 * Lets the site import the files of `web/content` as modules, whose types are in `web/src/content.d.ts`.
 * Markdown and YAML are compiled during the build, so browsers load no parser. An invalid file fails the
 * build. In development, a changed, added or removed file takes effect at once.
 */
export function content(folder = contentFolder): Plugin {
  const modules: Record<string, () => Record<string, unknown>> = {
    articles: () => ({
      articles: readArticles(folder).map(({ content: _content, ...summary }) => summary),
    }),
    // The fields that the list of pages needs, since every page loads that list.
    'article-pages': () => ({
      articles: readArticles(folder).map(({ id, title, listed }) => ({ id, title, listed })),
    }),
    help: () => ({ help: readHelp(folder) }),
    terms: () => ({ terms: readLegal('terms', folder) }),
    privacy: () => ({ privacy: readLegal('privacy', folder) }),
    owner: () => ({ owner: readOwner(folder) }),
    // The only sentence about the owner that every page shows.
    'made-by': () => ({ madeBy: readOwner(folder).madeBy }),
    templates: () => ({
      templates: readTemplates(folder).map(templateSummary),
    }),
    'template-words': () => ({ words: readTemplates(folder).map(templateWords) }),
    synonyms: () => ({ synonyms: readSynonyms(folder) }),
    download: () => ({ ...downloadOf(readChangelog(folder), readOwner(folder).system) }),
    changelog: () => ({
      releases: readChangelog(folder).map(({ size, minimumSystemVersion, ...release }) => ({
        ...release,
        system: minimumSystemVersion === undefined ? undefined : systemOf(minimumSystemVersion),
        size: size === undefined ? undefined : inMegabytes(size),
      })),
    }),
  };

  return {
    name: 'content',
    resolveId: (id) => (id.startsWith(PREFIX) ? RESOLVED + id.slice(PREFIX.length) : undefined),
    load(id) {
      if (!id.startsWith(RESOLVED)) return undefined;
      const name = id.slice(RESOLVED.length);
      if (name === 'article-texts') return loadersOf('texts', name, readArticles(folder));
      if (name === 'template-details') return loadersOf('details', name, readTemplates(folder));
      const exported = articleText(name, folder) ?? detailsOf(name, folder) ?? modules[name]?.();
      if (!exported) throw new Error(`There is no ${PREFIX}${name}.`);
      return Object.entries(exported)
        .map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`)
        .join('\n');
    },
    configureServer: (server) => void server.watcher.add(folder),
    hotUpdate({ file, modules: affected }) {
      if (!file.startsWith(folder)) return undefined;
      const known = [...this.environment.moduleGraph.idToModuleMap];
      return [...affected, ...known.filter(([id]) => id.startsWith(RESOLVED)).map(([, module]) => module)];
    },
  };
}

const categoriesOf = ({ category, categories }: Template): readonly string[] =>
  categories ?? (category === undefined ? [] : [category]);

/** A template without the fields that the gallery doesn't show, since its page has a budget. */
export function templateSummary(template: Template): TemplateSummary {
  const { id, name, summary, featured, modes, example } = template;
  return {
    id,
    name,
    summary,
    featured,
    modes,
    categories: categoriesOf(template),
    ...(featured && example && { sample: { before: example.before, after: example.after } }),
  };
}

export function templateWords(template: Template): TemplateWords {
  const { id, name, summary, featured, keywords, commandGroups, contextGroups } = template;
  return {
    id,
    name,
    summary,
    featured,
    keywords,
    categories: categoriesOf(template),
    commands: commandGroups.flatMap(({ commands }) => commands),
    contexts: contextGroups.flatMap(({ contexts }) => contexts),
  };
}

function articleText(name: string, folder: string): { text: string } | undefined {
  const article = readArticles(folder).find(({ id }) => name === `article-texts/${id}`);
  return article && { text: article.content };
}

function detailsOf(name: string, folder: string): TemplateDetails | undefined {
  const template = readTemplates(folder).find(({ id }) => name === `template-details/${id}`);
  if (!template) return undefined;
  const { rawData, example } = template;
  return { rawData, example };
}

/** Makes the text of each entry a separate module, so that a page loads only its own. */
function loadersOf(exported: string, name: string, entries: readonly (Article | Template)[]): string {
  const loaders = entries.map(({ id }) => `'${id}': () => import('${PREFIX}${name}/${id}')`);
  return `export const ${exported} = { ${loaders.join(', ')} };`;
}
