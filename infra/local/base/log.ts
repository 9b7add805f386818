import * as z from 'zod/mini';

export type LogLevel = 'TRACE' | 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';

/** One call of `console` in a function: one entry, however long, as in Lambda's JSON logging. */
export interface LogEntry {
  /** ISO 8601, in the local world's time. */
  at: string;
  function: string;
  /** Undefined for text that was written to standard output or standard error without `console`. */
  level?: LogLevel;
  /** The logged value: a single object stays an object, everything else is text. */
  message: string | Record<string, unknown>;
}

// Enough to scroll back; the terminal keeps the rest.
const MOST_ENTRIES = 500;

/** The newest entries of all functions. */
export class Log {
  readonly #entries: LogEntry[] = [];

  add(entry: LogEntry): void {
    this.#entries.unshift(entry);
    this.#entries.length = Math.min(this.#entries.length, MOST_ENTRIES);
  }

  /** Newest first. */
  list(): readonly LogEntry[] {
    return this.#entries;
  }
}

/** An entry in one line, like `ApiPlan INFO plan-decided user=0b5d… from=free trigger="GET /plan"`. */
export const lineOf = (entry: LogEntry): string =>
  [entry.function, entry.level ?? '', summaryOf(entry)].filter((part) => part !== '').join(' ');

/** The message in one line: its `event`, then the other fields. Stacks come last, because they are long. */
export function summaryOf({ message }: Pick<LogEntry, 'message'>): string {
  if (typeof message === 'string') return metricsOf(message) ?? inOneLine(message);
  const { event, ...others } = message;
  const fields = Object.entries(others).toSorted(
    ([one], [other]) => Number(one.startsWith('stack')) - Number(other.startsWith('stack')),
  );
  return [
    ...(event === undefined ? [] : [valueOf(event)]),
    ...fields.map(([name, value]) => `${name}=${valueOf(value)}`),
  ].join(' ');
}

/** The part of an embedded metric format document that says which fields are metrics. */
const MetricDocument = z.looseObject({
  _aws: z.object({
    CloudWatchMetrics: z.array(z.object({ Metrics: z.array(z.object({ Name: z.string() })) })),
  }),
});

/** The metrics of a document in CloudWatch's embedded metric format, like `metric SignUps=1`. */
function metricsOf(text: string): string | undefined {
  if (!text.startsWith('{"_aws"')) return undefined;
  const document = MetricDocument.safeParse(parsed(text)).data;
  if (!document) return undefined;
  const { _aws: format, ...fields } = document;
  const metrics = format.CloudWatchMetrics.flatMap(({ Metrics }) => Metrics);
  return ['metric', ...metrics.map(({ Name }) => `${Name}=${valueOf(fields[Name])}`)].join(' ');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function valueOf(value: unknown): string {
  const lines = Array.isArray(value) && value.every((line) => typeof line === 'string');
  // Lambda writes a stack as a list of lines.
  if (lines) return valueOf(value.join('\n'));
  const text = typeof value === 'string' ? inOneLine(value) : JSON.stringify(value);
  return typeof value === 'string' && !/^[^\s"=]+$/.test(text) ? JSON.stringify(text) : text;
}

/** Joins lines with `|`. Other control characters could affect the terminal. */
const inOneLine = (text: string): string =>
  text
    .split(/\s*[\r\n]+\s*/)
    .filter((line) => line !== '')
    .join(' | ')
    .replaceAll(/\p{Cc}/gu, '\uFFFD');
