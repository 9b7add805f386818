/** `node world-process.ts <port> <data folder>`: a world that tests can kill. Prints `ready` when it runs. */
import * as z from 'zod/mini';
import { startWorld } from './world.ts';
import { recordWire } from '../wire/wire-recorder.ts';

const Built = z.object({
  dist: z.string(),
  synthesized: z.object({ template: z.string(), assets: z.string() }),
});

const [port, dataDir] = process.argv.slice(2);
const { dist, synthesized } = Built.parse(JSON.parse(process.env['SELFSAME_BUILT'] ?? 'null'));

recordWire();
const world = await startWorld({
  port: Number(port),
  dataDir: String(dataDir),
  site: { kind: 'built', dist },
  synthesized,
  say: (line) => console.log(line),
});
process.on('SIGTERM', () => void world.stop().finally(() => process.exit(0)));
console.log('ready');
