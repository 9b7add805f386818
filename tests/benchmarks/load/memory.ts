import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { evaluate, type Thread } from './inspector.ts';

/** Bytes, after a garbage collection. */
export interface MemorySample {
  requests: number;
  /** Of the main thread: heap, and buffers outside of it. */
  main: number;
  /** The same of the called function's environments together. */
  functions: number;
  /** Of the process. */
  resident: number;
}

const HEAP = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';

async function heapOf(thread: Thread): Promise<number> {
  // Twice: the first collection runs finalizers, whose objects the second collects.
  await thread.send('HeapProfiler.collectGarbage');
  await thread.send('HeapProfiler.collectGarbage');
  return evaluate(thread, HEAP, z.number());
}

export async function sampleMemory(
  main: Thread,
  environments: readonly Thread[],
  process: { pid: number | undefined; requests: number },
): Promise<MemorySample> {
  let functions = 0;
  for (const environment of environments) functions += await heapOf(environment);
  return {
    requests: process.requests,
    main: await heapOf(main),
    functions,
    resident: residentMemory(process.pid),
  };
}

/** In bytes. NaN where there is no /proc. */
export function residentMemory(pid: number | undefined): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) * 1024;
  } catch {
    return Number.NaN;
  }
}

/** Bytes a request, by least squares over the second half of the samples. */
export function growth(samples: readonly MemorySample[], of: (sample: MemorySample) => number): number {
  const half = samples.slice(samples.length >> 1);
  const mean = (values: readonly number[]) =>
    values.reduce((total, value) => total + value, 0) / values.length;
  const [x, y] = [mean(half.map(({ requests }) => requests)), mean(half.map(of))];
  const covariance = half.reduce((total, sample) => total + (sample.requests - x) * (of(sample) - y), 0);
  return covariance / half.reduce((total, { requests }) => total + (requests - x) ** 2, 0);
}
