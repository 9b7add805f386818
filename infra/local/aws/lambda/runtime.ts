import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import type { LogEntry, LogLevel } from '../../base/log.ts';

export interface WorkerData {
  file: string;
  /** Name of the exported function. */
  handler: string;
  name: string;
  arn: string;
  memorySize: number;
  /** `Clock.shared`. */
  clock: SharedArrayBuffer;
}

export interface ToWorker {
  requestId: string;
  /** The event. */
  json: string;
  timeoutMilliseconds: number;
}

export interface InvocationFailure {
  errorType: string;
  errorMessage: string;
}

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'logged'; entry: Pick<LogEntry, 'message'> & { level: LogLevel } }
  | { kind: 'returned'; json: string }
  | { kind: 'failed'; failure: InvocationFailure };

// Functions in Lambda don't have this variable.
delete process.env['NODE_COMPILE_CACHE'];

const data = workerData as WorkerData;
const port = parentPort;
if (!port) throw new Error('aws/lambda/runtime.ts runs as a worker thread.');
const send = (message: FromWorker) => port.postMessage(message);

shiftDate(new Float64Array(data.clock, 0, 1));
skipPauses(new Float64Array(data.clock, 8, 1));
sendLogs();

try {
  const module = (await import(pathToFileURL(data.file).href)) as Record<string, unknown>;
  const handler = module[data.handler];
  if (typeof handler !== 'function') {
    send({
      kind: 'failed',
      failure: {
        errorType: 'Runtime.HandlerNotFound',
        errorMessage: `index.${data.handler} is undefined or not exported`,
      },
    });
  } else {
    port.on('message', (message: ToWorker) => void run(handler as Handler, message));
    send({ kind: 'ready' });
  }
} catch (error) {
  console.error(error);
  send({ kind: 'failed', failure: failureOf(error) });
}

type Handler = (event: unknown, context: object) => unknown;

async function run(handler: Handler, { requestId, json, timeoutMilliseconds }: ToWorker): Promise<void> {
  const deadline = performance.now() + timeoutMilliseconds;
  const context = {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: data.name,
    functionVersion: '$LATEST',
    invokedFunctionArn: data.arn,
    memoryLimitInMB: String(data.memorySize),
    logGroupName: `/aws/lambda/${data.name}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, Math.round(deadline - performance.now())),
  };
  try {
    const result: unknown = await handler(JSON.parse(json), context);
    send({ kind: 'returned', json: JSON.stringify(result ?? null) });
  } catch (error) {
    // Lambda writes a handler's errors to the function's log.
    console.error(error);
    send({ kind: 'failed', failure: failureOf(error) });
  }
}

/** Sends each call of `console` as one entry. Lambda's runtime replaces the same methods. */
function sendLogs(): void {
  const levels = { trace: 'TRACE', debug: 'DEBUG', log: 'INFO', info: 'INFO', warn: 'WARN', error: 'ERROR' };
  for (const [method, level] of Object.entries(levels) as ['log', LogLevel][]) {
    console[method] = (...values: unknown[]) => {
      send({ kind: 'logged', entry: { level, message: messageOf(values) } });
    };
  }
}

/** A message as in Lambda's JSON logging: one object stays an object, several values become a text. */
function messageOf(values: unknown[]): LogEntry['message'] {
  const [only] = values;
  if (values.length !== 1 || typeof only !== 'object' || only === null) return format(...values);
  try {
    return JSON.parse(JSON.stringify(only, (_, value: unknown) => plain(value))) as Record<string, unknown>;
  } catch {
    // A circular object, or an object with a bigint.
    return format(only);
  }
}

/** Lambda's fields for an error, whose own fields JSON omits. */
const plain = (value: unknown): unknown =>
  value instanceof Error
    ? Object.assign(
        { errorType: value.name, errorMessage: value.message, stackTrace: value.stack?.split('\n') },
        value,
      )
    : value;

function failureOf(error: unknown): InvocationFailure {
  return error instanceof Error
    ? { errorType: error.name, errorMessage: error.message }
    : { errorType: typeof error, errorMessage: String(error) };
}

/** Makes this thread's `Date` return the world's time: the machine's plus `offset` milliseconds. */
function shiftDate(offset: Float64Array): void {
  const MachineDate = Date;
  const now = () => MachineDate.now() + (offset[0] ?? 0);
  const WorldDate = new Proxy(MachineDate, {
    construct: (target, parameters, newTarget) =>
      Reflect.construct(target, parameters.length > 0 ? parameters : [now()], newTarget) as object,
    apply: () => new MachineDate(now()).toString(),
    get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
  });
  Object.defineProperty(MachineDate.prototype, 'constructor', { value: WorldDate });
  globalThis.Date = WorldDate;
}

/**
 * Ends pauses at once that begin while the world's clock jumps. The user export pauses sixteen times for a
 * tenth of a second, for Cognito's quotas, and a jump over a month runs it ten times.
 */
function skipPauses(isJumping: Float64Array): void {
  const { setTimeout: wait } = timers;
  timers.setTimeout = (delay, ...rest) => wait(isJumping[0] ? 0 : delay, ...rest);
  // For functions that import `setTimeout` by name.
  syncBuiltinESMExports();
}
