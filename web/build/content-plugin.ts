import type { Plugin } from 'vite';
import type { Person } from '../../schemas/person.ts';
import {
  contentFolder,
  readArticles,
  readChangelog,
  readHelp,
  readLegal,
  readPeople,
  readTemplates,
  type WrittenArticle,
} from './content.ts';
import { downloadOf, inMegabytes, systemOf } from './releases.ts';

const PREFIX = 'virtual:content/';
// The zero byte tells other plugins that this is no file.
const RESOLVED = `\0${PREFIX}`;

/**
 * Lets the site import the files of `web/content` as modules, whose types are in `web/src/content.d.ts`.
 * Markdown and YAML are compiled during the build, so browsers load no parser. An invalid file fails the
 * build. In development a changed, added or removed file shows at once.
 */
export function content(folder = contentFolder): Plugin {
  const modules: Record<string, () => Record<string, unknown>> = {
    articles: () => ({
      articles: readArticles(folder).map(({ content: _content, markdown: _markdown, ...summary }) => summary),
    }),
    // What the list of pages needs of them, since every page loads that list.
    'article-pages': () => ({
      articles: readArticles(folder).map(({ id, title, listed }) => ({ id, title, listed })),
    }),
    help: () => ({ help: readHelp(folder) }),
    terms: () => ({ terms: readLegal('terms', folder) }),
    privacy: () => ({ privacy: readLegal('privacy', folder) }),
    templates: () => ({ templates: readTemplates(folder) }),
    download: () => ({ ...downloadOf(readChangelog(folder)) }),
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
      if (name === 'article-texts') return articleTexts(readArticles(folder));
      if (name === 'people') return peopleWithPhotos(readPeople(folder));
      const article = readArticles(folder).find((each) => name === `article-texts/${each.id}`);
      const exported = article ? { text: article.content } : modules[name]?.();
      if (!exported) throw new Error(`There is no ${PREFIX}${name}.`);
      return Object.entries(exported)
        .map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`)
        .join('\n');
    },
    configureServer(server) {
      server.watcher.add(folder);
    },
    hotUpdate({ file, modules: affected }) {
      if (!file.startsWith(folder)) return undefined;
      const known = [...this.environment.moduleGraph.idToModuleMap];
      return [...affected, ...known.filter(([id]) => id.startsWith(RESOLVED)).map(([, module]) => module)];
    },
  };
}

/** Each text is a module of its own, so that reading an article loads that article alone. */
function articleTexts(articles: readonly WrittenArticle[]): string {
  const loaders = articles.map(({ id }) => `${id}: () => import('${PREFIX}article-texts/${id}')`);
  return `export const texts = { ${loaders.join(', ')} };`;
}

/** Photos are imported, so that Vite gives each a file and an address. */
function peopleWithPhotos(people: readonly Person[]): string {
  const imports = people.flatMap(({ photo }, index) =>
    photo === undefined ? [] : [`import photo${index} from ${JSON.stringify(photo)};`],
  );
  const entries = people.map(({ photo, ...person }, index) =>
    photo === undefined ? JSON.stringify(person) : `{ ...${JSON.stringify(person)}, photo: photo${index} }`,
  );
  return [...imports, `export const people = [${entries.join(', ')}];`].join('\n');
}
