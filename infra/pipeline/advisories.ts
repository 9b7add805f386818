import * as z from 'zod/mini';

const Advisory = z.object({
  title: z.string(),
  url: z.string(),
  severity: z.enum(['info', 'low', 'moderate', 'high', 'critical']),
});

const Report = z.object({
  vulnerabilities: z.record(
    z.string(),
    // A text names another package of this list, which brings the advisory.
    z.object({ via: z.array(z.union([z.string(), Advisory])) }),
  ),
});

export interface Findings {
  /** A line for each advisory that isn't accepted. */
  open: string[];
  /** Addresses that are accepted and no longer reported. */
  outdated: string[];
}

/**
 * Reads `npm audit --json`. Throws if it is no report: npm answers so if the registry has no advisories.
 * `accepted`: addresses of advisories.
 */
export function findingsIn(report: unknown, accepted: readonly string[]): Findings {
  const parsed = Report.safeParse(report);
  if (!parsed.success) throw new Error(`npm audit gave no report: ${JSON.stringify(report).slice(0, 300)}`);
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
