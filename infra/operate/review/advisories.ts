import * as z from 'zod/mini';

const Advisory = z.object({
  title: z.string(),
  url: z.string(),
  severity: z.enum(['info', 'low', 'moderate', 'high', 'critical']),
});

const Report = z.object({
  vulnerabilities: z.record(
    z.string(),
    // A string names another package on this list, which brings in the advisory.
    z.object({ via: z.array(z.union([z.string(), Advisory])) }),
  ),
});

export interface Findings {
  /** A line for each advisory that isn't accepted. */
  open: string[];
  /** Accepted addresses that are no longer reported. */
  outdated: string[];
}

/**
 * Reads `npm audit --json`. Throws if the output is no report: npm prints something else if the registry has
 * no advisories. `accepted`: addresses of advisories.
 */
export function findingsIn(report: unknown, accepted: readonly string[]): Findings {
  const parsed = Report.safeParse(report);
  if (!parsed.success)
    throw new Error(`npm audit printed no report: ${JSON.stringify(report).slice(0, 300)}`);
  const found = new Map<string, string>();
  for (const [name, { via }] of Object.entries(parsed.data.vulnerabilities)) {
    for (const advisory of via) {
      if (typeof advisory === 'string') continue;
      const { severity, title, url } = advisory;
      found.set(url, `${severity}: ${name}: ${title} (${url})`);
    }
  }
  return {
    open: [...found].filter(([url]) => !accepted.includes(url)).map(([, line]) => line),
    outdated: accepted.filter((url) => !found.has(url)),
  };
}
