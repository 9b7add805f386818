import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import type { Thread } from './inspector.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Who used the time of a sample. */
export type Owner =
  /** functions/ and schemas/. */
  | 'product'
  /** The AWS SDK and Stripe's library. */
  | 'clients'
  /** infra/local. */
  | 'local world'
  /** V8's garbage collector, whosever garbage it is. */
  | 'garbage collector'
  /** Node outside of any of them: sockets, HTTP, timers. */
  | 'Node';

/** Samples by owner, and by function (`file:line`) for the product's only. */
export interface CpuUse {
  byOwner: Map<Owner, number>;
  byFunction: Map<string, number>;
}

const CallFrame = z.object({
  functionName: z.string(),
  url: z.string(),
  lineNumber: z.number(),
  columnNumber: z.number(),
});
type CallFrame = z.infer<typeof CallFrame>;
const Profile = z.object({
  profile: z.object({
    nodes: z.array(
      z.object({ id: z.number(), callFrame: CallFrame, children: z.optional(z.array(z.number())) }),
    ),
    samples: z.array(z.number()),
  }),
});

/** Between two samples. Handlers of the product run for tens of microseconds. */
export const SAMPLE_MICROSECONDS = 200;

const CLIENTS = /\/node_modules\/(@aws-sdk|@smithy|@aws-crypto|@aws|stripe)\//;

/** Profiles threads while `load` runs. Samples in which a thread waited aren't counted. */
export async function profileWhile(
  threads: readonly Thread[],
  load: () => Promise<unknown>,
): Promise<CpuUse[]> {
  for (const thread of threads) {
    await thread.send('Profiler.enable');
    await thread.send('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
    await thread.send('Profiler.start');
  }
  await load();
  const uses: CpuUse[] = [];
  for (const thread of threads) {
    uses.push(cpuUseOf(await thread.send('Profiler.stop')));
    await thread.send('Profiler.disable');
  }
  return uses;
}

/**
 * A sample belongs to its innermost frame in the product, in a client or in the local world. So the product
 * also answers for what Zod and Node do for it, and not for what a client does with its call.
 */
function cpuUseOf(answer: unknown): CpuUse {
  const { nodes, samples } = Profile.parse(answer).profile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const owners = new Map<number, { owner: Owner; name?: string } | undefined>();
  const ownerOf = (id: number): { owner: Owner; name?: string } | undefined => {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame;
      if (!frame) break;
      if (frame.functionName === '(idle)') return undefined;
      if (frame.functionName === '(garbage collector)') return { owner: 'garbage collector' };
      const owner = ownerOfFrame(frame);
      if (owner) return owner;
    }
    return { owner: 'Node' };
  };
  for (const { id } of nodes) owners.set(id, ownerOf(id));
  const use: CpuUse = { byOwner: new Map(), byFunction: new Map() };
  // Counted, not weighed by their distance, which grows while other programs have the processor.
  for (const id of samples) {
    const found = owners.get(id);
    if (!found) continue;
    use.byOwner.set(found.owner, (use.byOwner.get(found.owner) ?? 0) + 1);
    if (found.name) use.byFunction.set(found.name, (use.byFunction.get(found.name) ?? 0) + 1);
  }
  return use;
}

function ownerOfFrame(frame: CallFrame): { owner: Owner; name?: string } | undefined {
  if (!frame.url.startsWith('file:')) return undefined;
  const [source, line] = sourceOf(frame);
  if (CLIENTS.test(source)) return { owner: 'clients' };
  const inRepository = path.relative(root, source);
  if (/^(functions|schemas)\//.test(inRepository)) {
    return { owner: 'product', name: `${inRepository}:${line}` };
  }
  return inRepository.startsWith('infra/local/') ? { owner: 'local world' } : undefined;
}

const sourceMaps = new Map<string, SourceMap | undefined>();

/** Where a frame's function is written: the path of its source, and the line. */
function sourceOf({ url, lineNumber, columnNumber }: CallFrame): [string, number] {
  const file = fileURLToPath(url);
  if (!sourceMaps.has(file)) {
    const map = `${file}.map`;
    sourceMaps.set(
      file,
      existsSync(map)
        ? new SourceMap(JSON.parse(readFileSync(map, 'utf8')) as ConstructorParameters<typeof SourceMap>[0])
        : undefined,
    );
  }
  const entry = sourceMaps.get(file)?.findEntry(lineNumber, columnNumber);
  return entry && 'originalSource' in entry
    ? [path.resolve(path.dirname(file), entry.originalSource), entry.originalLine + 1]
    : [file, lineNumber + 1];
}

/** The sum of several threads. */
export function sum(uses: readonly CpuUse[]): CpuUse {
  const total: CpuUse = { byOwner: new Map(), byFunction: new Map() };
  for (const { byOwner, byFunction } of uses) {
    for (const [key, count] of byOwner) total.byOwner.set(key, (total.byOwner.get(key) ?? 0) + count);
    for (const [key, count] of byFunction) {
      total.byFunction.set(key, (total.byFunction.get(key) ?? 0) + count);
    }
  }
  return total;
}

/** An owner's share of the CPU that was used, in percent. */
export function shareOf(owner: Owner, { byOwner }: CpuUse): number {
  const all = [...byOwner.values()].reduce((total, count) => total + count, 0);
  return (100 * (byOwner.get(owner) ?? 0)) / all;
}
