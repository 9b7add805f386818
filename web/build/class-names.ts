import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

const ROOT = path.resolve(import.meta.dirname, '..');
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
// D is left out, since ad blockers hide elements of the class `ad`.
const FILE_SIGNS = `${LETTERS.replaceAll(/d/gi, '')}0123456789`;

/** The name of a file in development: 4 characters of base64 distinguish 16 million files. */
const hashOf = (file: string): string => createHash('sha256').update(file).digest('base64url').slice(0, 4);

/**
 * Names CSS module classes after their place in the file and the file's place among all, as in `aX`, and in
 * development after the class, as in `Head_x3Fq`. After compression, names of five characters make the
 * landing page's HTML 250 bytes larger, long names 730.
 */
const nameClasses = (): Plugin => {
  const files = globSync('src/**/*.module.css', { cwd: ROOT }).toSorted();
  const namesByFile = new Map<string, string[]>();
  // A dash stands for each round through the letters, an underscore for each round through the signs.
  const builtName = (name: string, file: string): string => {
    const place = files.indexOf(file);
    if (place === -1) throw new Error(`${file} isn't among the site's CSS modules.`);
    const names = namesByFile.get(file) ?? [];
    namesByFile.set(file, names);
    if (!names.includes(name)) names.push(name);
    const index = names.indexOf(name);
    return [
      LETTERS[index % LETTERS.length],
      '-'.repeat(index / LETTERS.length),
      '_'.repeat(place / FILE_SIGNS.length),
      FILE_SIGNS[place % FILE_SIGNS.length],
    ].join('');
  };
  return {
    name: 'class-names',
    config: (_config, { command }) => ({
      css: {
        modules: {
          generateScopedName: (name: string, id: string) => {
            const file = path.relative(ROOT, id);
            return command === 'build' ? builtName(name, file) : `${name}_${hashOf(file)}`;
          },
        },
      },
    }),
  };
};

/**
 * Lets scripts import a module's names as a namespace, whose members the bundler replaces by their values.
 * The bundler keeps every name of the default export, an object, which would make the landing page's script
 * 560 bytes larger.
 */
const namesByValue = (): Plugin[] => [
  {
    name: 'class-names-by-value',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx?$/, code: /\.module\.css'/ },
      handler: (code) => ({
        code: code.replaceAll(/import (\w+) from ('[^']+\.module\.css')/g, 'import * as $1 from $2'),
        map: null,
      }),
    },
    onLog(_level, { code, message }) {
      if (code === 'IMPORT_IS_UNDEFINED') throw new Error(message);
    },
  },
  {
    // Vite drops the rules of a module that no script seems to import, as when its names become values.
    name: 'styles-of-names-by-value',
    enforce: 'post',
    transform: {
      filter: { id: /\.module\.css$/ },
      handler: (code) => ({ code, map: null, moduleSideEffects: 'no-treeshake' }),
    },
  },
];

export const classNames = (): Plugin[] => [nameClasses(), ...namesByValue()];
