import type { Rolldown } from 'vite';
import type { Page } from '../src/pages/page.ts';

/** The built files that a page needs, as names in the build's folder. */
export interface PageFiles {
  /** The application first, then the page's own script, then what they share. */
  scripts: readonly string[];
  /** In the order of the cascade: the site's styles before the page's own. */
  styles: readonly string[];
}

type Chunk = Rolldown.OutputChunk;

/** The end of the name of a lazy module whose HTML and styles a page needs, but not its script. */
const DRAWING = '-drawing.tsx';

/** `late`: the path below `src` of a module that the page imports lazily, and whose files count too. */
export function filesOf(
  bundle: Rolldown.OutputBundle,
  { module, waiting }: Pick<Page, 'module' | 'waiting'>,
  late?: string,
): PageFiles {
  const chunks = chunksOf(bundle);
  const application = chunks.find((chunk) => chunk.isEntry);
  if (!application) throw new Error('The build has no entry.');
  const entries = [application, chunkOf(chunks, `routes/${module}`)];
  if (waiting !== undefined) entries.push(chunkOf(chunks, `routes/${waiting}`));
  if (late !== undefined) entries.push(chunkOf(chunks, late));
  const all = withImports(entries, bundle);
  const drawings = chunks.filter(
    ({ fileName, facadeModuleId }) =>
      facadeModuleId?.endsWith(DRAWING) && all.some((chunk) => chunk.dynamicImports.includes(fileName)),
  );
  // Styles of an imported script precede those of the importing script.
  const styles = [...all.toReversed(), ...withImports(drawings, bundle).toReversed()].flatMap((chunk) => [
    ...(chunk.viteMetadata?.importedCss ?? []),
  ]);
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

function chunkOf(chunks: readonly Chunk[], module: string): Chunk {
  const found = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(`/src/${module}`));
  if (!found) throw new Error(`The build has no script for ${module}.`);
  return found;
}

/** The chunks and everything they import, given chunks first. */
function withImports(entries: readonly Chunk[], bundle: Rolldown.OutputBundle): Chunk[] {
  const reached = new Set(entries);
  // Iterating over a set includes entries that are added meanwhile.
  for (const chunk of reached) {
    for (const file of chunk.imports) {
      const imported = bundle[file];
      if (imported?.type === 'chunk') reached.add(imported);
    }
  }
  return [...reached];
}
