import lighthouse, { auditFlowArtifacts, type Config, type RunnerResult } from 'lighthouse';
import { inCpuTime } from './cpu-time.ts';

export type Throttling = 'simulate' | 'devtools';

/** Times in milliseconds, sizes in bytes as transferred, headers included. */
export interface Figures {
  lcp: number;
  fcp: number;
  tbt: number;
  cls: number;
  html: number;
  script: number;
}

type Result = RunnerResult['lhr'];

/**
 * Runs Lighthouse as on a phone, in the browser that listens on `port`. `simulate` counts tasks by their
 * time on the CPU.
 */
export async function measure(
  address: string,
  { throttling, port }: { throttling: Throttling; port: number },
): Promise<Figures> {
  const config: Config = {
    extends: 'lighthouse:default',
    settings: {
      formFactor: 'mobile',
      throttlingMethod: throttling,
      onlyCategories: ['performance'],
    },
  };
  const result = await lighthouse(address, { port, logLevel: 'silent' }, config);
  if (!result) throw new Error(`Lighthouse returned no result for ${address}.`);
  const { runtimeError } = result.lhr;
  if (runtimeError) throw new Error(`${address}: ${runtimeError.code}: ${runtimeError.message}`);
  return figuresOf(throttling === 'simulate' ? await inCpuTimeOnly(result, config) : result.lhr);
}

async function inCpuTimeOnly({ artifacts }: RunnerResult, config: Config): Promise<Result> {
  const { Trace: trace } = artifacts;
  const cpuTime = { ...artifacts, Trace: { ...trace, traceEvents: inCpuTime(trace.traceEvents) } };
  const flow = await auditFlowArtifacts(
    {
      gatherSteps: [{ artifacts: cpuTime, flags: { logLevel: 'silent' } }],
      name: 'page',
    },
    config,
  );
  const audited = flow?.steps[0]?.lhr;
  if (!audited) throw new Error('Lighthouse did not audit the trace.');
  return audited;
}

function figuresOf({ audits }: Result): Figures {
  const value = (audit: string): number => audits[audit]?.numericValue ?? Number.NaN;
  const { details } = audits['network-requests'] ?? {};
  const requests = (details?.type === 'table' ? details.items : []) as {
    resourceType?: string;
    transferSize?: number;
  }[];
  const bytes = (type: string) =>
    requests
      .filter(({ resourceType }) => resourceType === type)
      .reduce((sum, { transferSize = 0 }) => sum + transferSize, 0);
  return {
    lcp: value('largest-contentful-paint'),
    fcp: value('first-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    html: bytes('Document'),
    script: bytes('Script'),
  };
}
