import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

let loaded: ReturnType<typeof load> | undefined;

/** What turns an SVG into a bitmap. Loaded when one is drawn: `npm start` needs none. */
export const drawing = (): ReturnType<typeof load> => (loaded ??= load());

async function load() {
  const [resvg, code] = await Promise.all([
    import('@resvg/resvg-wasm'),
    readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))),
  ]);
  await resvg.initWasm(code);
  return resvg;
}
