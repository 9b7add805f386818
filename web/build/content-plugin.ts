import type { Plugin } from 'vite';
import {
  contentFolder,
  readArticles,
  readHelp,
  readLegal,
  readTemplates,
  type WrittenArticle,
} from './content.ts';

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
    help: () => ({ help: readHelp(folder) }),
    terms: () => ({ terms: readLegal('terms', folder) }),
    privacy: () => ({ privacy: readLegal('privacy', folder) }),
    templates: () => ({ templates: readTemplates(folder) }),
  };

  return {
    name: 'content',
    resolveId: (id) => (id.startsWith(PREFIX) ? RESOLVED + id.slice(PREFIX.length) : undefined),
    load(id) {
      if (!id.startsWith(RESOLVED)) return undefined;
      const name = id.slice(RESOLVED.length);
      if (name === 'article-texts') return articleTexts(readArticles(folder));
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
