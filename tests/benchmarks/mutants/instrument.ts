import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

export interface Mutant {
  id: string;
  file: string;
  line: number;
  /** Stryker's name for the kind of change. */
  mutator: string;
  /** The lines that the mutant changes, on one line, before and after. */
  original: string;
  mutated: string;
}

/**
 * Mutators left out. An empty text or object in place of another changes what is shown or logged, or it does
 * not compile: texts that decide are members of unions.
 */
const excludedMutations = ['StringLiteral', 'ObjectLiteral'];

const silent = () => {};
const logger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
};

/** All mutants of the files, and each file's code with all its mutants, of which at most one is active. */
export async function instrument(
  root: string,
  files: readonly string[],
): Promise<{ mutants: Mutant[]; codes: Record<string, string> }> {
  const sources = new Map(
    await Promise.all(
      files.map(async (name) => [name, await readFile(path.join(root, name), 'utf8')] as const),
    ),
  );
  const result = await new Instrumenter(logger).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations, ignorers: [] },
  );
  return {
    codes: Object.fromEntries(result.files.map(({ name, content }) => [name, content])),
    mutants: result.mutants
      // Stryker instruments what is left out too, and marks it as ignored.
      .filter(({ status }) => status === undefined)
      .map(({ id, fileName, location, replacement, mutatorName }) => ({
        id,
        file: fileName,
        line: location.start.line + 1,
        mutator: mutatorName,
        ...texts(sources.get(fileName) ?? '', location, replacement),
      }))
      .filter((mutant) => isDecision(mutant, sources.get(mutant.file) ?? '')),
  };
}

const declaration = /^(export )?const \w+ =/;

function isDecision({ mutator, original, line }: Mutant, source: string): boolean {
  // A declared function that returns nothing doesn't compile. Its operators have mutants of their own.
  if (mutator === 'ArrowFunction' && declaration.test(original)) return false;
  // A handler's last statement only connects it with its adapters, which integration tests do too.
  const composition = source.indexOf('export const handler = withEnvironment(');
  return composition === -1 || line < source.slice(0, composition).split('\n').length;
}

interface Position {
  line: number;
  column: number;
}

function texts(
  source: string,
  { start, end }: { start: Position; end: Position },
  replacement: string,
): Pick<Mutant, 'original' | 'mutated'> {
  const lines = source.split('\n').slice(start.line, end.line + 1);
  const before = (lines[0] ?? '').slice(0, start.column);
  const after = (lines.at(-1) ?? '').slice(end.column);
  return { original: onOneLine(lines.join('\n')), mutated: onOneLine(before + replacement + after) };
}

const LONGEST = 160;

function onOneLine(code: string): string {
  const text = code.replaceAll(/\s+/g, ' ').trim();
  return text.length > LONGEST ? `${text.slice(0, LONGEST / 2)} … ${text.slice(-LONGEST / 2)}` : text;
}
