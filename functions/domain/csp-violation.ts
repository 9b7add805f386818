import * as z from 'zod/mini';
import type { LogEvents } from '../../schemas/config/log-events.ts';

/** The content of a report, without queries, fragments and script samples, which may be personal. */
export type CspViolation = Omit<LogEvents['csp-violation'], 'others'>;

const optional = z.optional(z.nullable(z.string()));
const number = z.optional(z.nullable(z.number()));

// The Reporting API's, which sends several at once: https://www.w3.org/TR/CSP3/#reporting.
const Report = z.object({
  body: z.object({
    documentURL: z.string(),
    effectiveDirective: z.string(),
    blockedURL: optional,
    sourceFile: optional,
    lineNumber: number,
    disposition: optional,
  }),
});

// The format of `report-uri`.
const OldReport = z.object({
  'csp-report': z.object({
    'document-uri': z.string(),
    // CSP 3 has this field. Earlier browsers send only the directive as written, with its sources.
    'effective-directive': optional,
    'violated-directive': z.string(),
    'blocked-uri': optional,
    'source-file': optional,
    'line-number': number,
    disposition: optional,
  }),
});

const Crash = z.object({
  type: z.enum(['crash', 'intervention']),
  url: z.string(),
  body: z.object({ reason: optional, id: optional }),
});

/** The first crash or intervention in the body of a report. */
export function crashIn(body: unknown): LogEvents['page-crash'] | undefined {
  for (const report of Array.isArray(body) ? body : [body]) {
    const { success, data } = Crash.safeParse(report);
    const page = success ? pathOf(data.url) : undefined;
    if (!data || page === undefined) continue;
    const reason = data.body.reason ?? data.body.id ?? '';
    return { type: data.type, page, reason: REASON.test(reason) ? reason : '(unknown)' };
  }
  return undefined;
}

/** The violations in the body of a report. Leaves out unreadable ones and those that extensions cause. */
export function violationsIn(body: unknown): CspViolation[] {
  const reports = Array.isArray(body) ? body : [body];
  return reports.flatMap((report): CspViolation[] => {
    const read = fieldsOf(report);
    if (!read) return [];
    const [directive = ''] = read.effectiveDirective.split(' ');
    const page = pathOf(read.documentURL);
    const source = read.sourceFile ? sourceOf(read.sourceFile) : null;
    if (!DIRECTIVE.test(directive) || page === undefined || source === undefined) return [];
    return [
      {
        directive,
        blocked: blockedBy(read.blockedURL ?? ''),
        page,
        source,
        line: read.lineNumber ?? null,
        disposition: read.disposition === 'report' ? 'report' : 'enforce',
      },
    ];
  });
}

function fieldsOf(report: unknown): z.infer<typeof Report>['body'] | undefined {
  const current = Report.safeParse(report);
  if (current.success) return current.data.body;
  const { success, data } = OldReport.safeParse(report);
  if (!success) return undefined;
  const old = data['csp-report'];
  return {
    documentURL: old['document-uri'],
    effectiveDirective: old['effective-directive'] ?? old['violated-directive'],
    blockedURL: old['blocked-uri'],
    sourceFile: old['source-file'],
    lineNumber: old['line-number'],
    disposition: old.disposition,
  };
}

/** A keyword of Crash Reporting, such as `oom`, or the name of an intervention. */
const REASON = /^[\w-]{2,40}$/;
const DIRECTIVE = /^[a-z-]{3,40}$/;
// The keywords of CSP 3: inline, eval, data, trusted-types-sink.
const KEYWORD = /^[a-z-]{2,40}$/;
/** A path of our own pages and files. */
const PATH = /^\/[\w./-]{0,120}$/;

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:';

/** The path, or `(other)` for a path that none of our pages has. Undefined if the address is not a page. */
function pathOf(address: string): string | undefined {
  const url = urlOf(address);
  if (!url || !isWeb(url)) return undefined;
  return PATH.test(url.pathname) ? url.pathname : '(other)';
}

/** The host and path of a script. Undefined for scripts of extensions, which we can't fix. */
function sourceOf(address: string): string | undefined {
  const url = urlOf(address);
  if (!url) return '(other)';
  return isWeb(url) ? `${url.host}${pathOf(address)}` : undefined;
}

function blockedBy(address: string): string {
  if (KEYWORD.test(address)) return address;
  const url = urlOf(address);
  if (!url) return '(unknown)';
  return isWeb(url) ? url.origin : url.protocol;
}
