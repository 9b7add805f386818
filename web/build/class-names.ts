import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Plugin } from 'vite';

const ROOT = path.resolve(import.meta.dirname, '..');
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

// 4 characters of base64 tell 16 million files apart.
const hashOf = (file: string): string =>
  createHash('sha256').update(path.relative(ROOT, file)).digest('base64url').slice(0, 4);

/**
 * Names CSS module classes after their file and their order in it, as in `ax3Fq`, and in development after
 * the class, as in `Head_x3Fq`. Long names make the landing page's HTML 480 bytes heavier after compression.
 */
export const classNames = (): Plugin => {
  const files = new Map<string, string[]>();
  const letterOf = (name: string, file: string): string => {
    const names = files.get(file) ?? [];
    files.set(file, names);
    if (!names.includes(name)) names.push(name);
    const index = names.indexOf(name);
    return `${LETTERS[index % LETTERS.length]}${index < LETTERS.length ? '' : Math.floor(index / LETTERS.length)}`;
  };
  return {
    name: 'class-names',
    config: (_config, { command }) => ({
      css: {
        modules: {
          generateScopedName: (name: string, file: string) =>
            command === 'build' ? `${letterOf(name, file)}${hashOf(file)}` : `${name}_${hashOf(file)}`,
        },
      },
    }),
  };
};
