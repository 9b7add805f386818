/**
 * A cold start: `node cold-start-process.ts <bundle> <event>`. Imports the bundle, calls its handler once and
 * prints a `ColdStart` as JSON. Times begin when this process is up, as Lambda's do: the runtime is started
 * before the function's code is loaded.
 */
import { pathToFileURL } from 'node:url';

/** Milliseconds since the import began. CPU is user and system time of all threads. */
export interface ColdStart {
  start: { wall: number; cpu: number };
  answered: { wall: number; cpu: number };
  /** Status of an HTTP answer. */
  status: number | undefined;
}

const [file = '', event = ''] = process.argv.slice(2);
// The handlers' logs aren't part of the result.
console.info = () => {};

const cpuAtFirst = process.cpuUsage();
const wallAtFirst = performance.now();
const elapsed = () => {
  const { user, system } = process.cpuUsage(cpuAtFirst);
  return { wall: performance.now() - wallAtFirst, cpu: (user + system) / 1000 };
};

const { handler } = (await import(pathToFileURL(file).href)) as {
  handler: (event: unknown, context: object) => Promise<{ statusCode?: number } | undefined>;
};
const start = elapsed();
const answer = await handler(JSON.parse(event), { getRemainingTimeInMillis: () => 600_000 });
const answered = elapsed();
console.log(JSON.stringify({ start, answered, status: answer?.statusCode } satisfies ColdStart));
process.exit(0);
