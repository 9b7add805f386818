import type { Rolldown } from 'vite';

/** What a page needs of the built files, as names in the build's folder. */
export interface PageFiles {
  /** The application first, then the page's own script, then what they share. */
  scripts: readonly string[];
  /** In the order in which they have to stand: the whole site's before the page's own. */
  styles: readonly string[];
}

type Chunk = Rolldown.OutputChunk;

/** `module`: the page's, below `src/routes`; without one, what every page needs. */
export function filesOf(bundle: Rolldown.OutputBundle, module?: string): PageFiles {
  const chunks = chunksOf(bundle);
  const application = chunks.find((chunk) => chunk.isEntry);
  if (!application) throw new Error('The build has no entry.');
  const begins = [application];
  if (module !== undefined) begins.push(pageChunk(chunks, module));
  const all = withImports(begins, bundle);
  // What a script imports is styled before it.
  const styles = all.toReversed().flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]);
  const ofSite = new Set(
    withImports([application], bundle).flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]),
  );
  return {
    scripts: all.map(({ fileName }) => fileName),
    styles: [...new Set([...styles.filter((file) => ofSite.has(file)), ...styles])],
  };
}

export const chunksOf = (bundle: Rolldown.OutputBundle): Chunk[] =>
  Object.values(bundle).filter((output) => output.type === 'chunk');

function pageChunk(chunks: readonly Chunk[], module: string): Chunk {
  const found = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(`/src/routes/${module}`));
  if (!found) throw new Error(`No script came out of the build for ${module}.`);
  return found;
}

/** The chunks and all they import, those asked for first. */
function withImports(begins: readonly Chunk[], bundle: Rolldown.OutputBundle): Chunk[] {
  const reached = new Set(begins);
  // A set goes on to what is added to it on the way.
  for (const chunk of reached) {
    for (const file of chunk.imports) {
      const imported = bundle[file];
      if (imported?.type === 'chunk') reached.add(imported);
    }
  }
  return [...reached];
}
