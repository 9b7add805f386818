import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

let loaded: ReturnType<typeof load> | undefined;

/** The library that turns an SVG into a bitmap. Loaded on first use: `npm start` doesn't need it. */
export const drawing = (): ReturnType<typeof load> => (loaded ??= load());

async function load() {
  const [resvg, code] = await Promise.all([
    import('@resvg/resvg-wasm'),
    readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))),
  ]);
  await resvg.initWasm(code);
  return resvg;
}
