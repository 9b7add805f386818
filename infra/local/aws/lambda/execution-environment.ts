import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import { unlessDebugged } from '../../base/debugger.ts';
import type { LogEntry } from '../../base/log.ts';
import { StartFailure } from '../../base/start-failure.ts';
import { REGION } from '../../stack/resource-type.ts';
import { FunctionError } from './function-error.ts';
import type { FromWorker, InvocationFailure, ToWorker, WorkerData } from './runtime.ts';

export const FunctionProperties = z.object({
  FunctionName: z.optional(z.string()),
  Runtime: z.string(),
  Handler: z.string(),
  Code: z.object({ S3Key: z.optional(z.string()) }),
  Environment: z.optional(z.object({ Variables: z._default(z.record(z.string(), z.string()), {}) })),
  Layers: z._default(z.array(z.unknown()), []),
  // Lambda's own defaults, in seconds and megabytes.
  Timeout: z._default(z.number(), 3),
  MemorySize: z._default(z.number(), 128),
});
type FunctionProperties = z.infer<typeof FunctionProperties>;

export interface FunctionSettings {
  name: string;
  /** The function's name in logs. */
  label: string;
  arn: string;
  /** The folder of the unpacked bundle. */
  folder: string;
  properties: FunctionProperties;
}

export interface LambdaOptions {
  clock: Clock;
  /** Origins of AWS APIs by the name in `AWS_ENDPOINT_URL_<name>`. Read as a function starts. */
  endpoints: Readonly<Record<string, string>>;
  log: (entry: LogEntry) => void;
  /** Node's folder for compiled code, which halves an environment's start. @default no code is kept */
  compiledCode?: string;
}

/** A worker thread that has loaded the function's module. */
export class ExecutionEnvironment {
  readonly #settings: FunctionSettings;
  readonly #worker: Worker;
  readonly #ready: Promise<InvocationFailure | undefined>;
  #fail: (failure: InvocationFailure) => void = () => {};
  broken = false;

  constructor(settings: FunctionSettings, options: LambdaOptions) {
    this.#settings = settings;
    const data: WorkerData = {
      file: moduleFile(settings),
      handler: settings.properties.Handler.split('.').at(-1) ?? '',
      name: settings.name,
      arn: settings.arn,
      memorySize: settings.properties.MemorySize,
      clock: options.clock.shared,
    };
    this.#worker = new Worker(new URL('runtime.ts', import.meta.url), {
      workerData: data,
      env: environmentOf(settings, options),
      // A bundle with a source map throws errors with places in its sources.
      execArgv: ['--enable-source-maps'],
      // A function that needs more memory ends alone, without the world.
      resourceLimits: { maxOldGenerationSizeMb: settings.properties.MemorySize },
      stdout: true,
      stderr: true,
    });
    const log = (entry: Pick<LogEntry, 'level' | 'message'>) =>
      options.log({ at: options.clock.now().toISOString(), function: settings.label, ...entry });
    this.#worker.on('message', (message: FromWorker) => {
      if (message.kind === 'logged') log(message.entry);
    });
    // Output outside of `console`, such as Node's own warnings.
    for (const stream of [this.#worker.stdout, this.#worker.stderr]) {
      createInterface(stream).on('line', (message) => log({ message }));
    }
    this.#ready = new Promise((resolve) => {
      const listen = (message: FromWorker) => {
        // A module may log as it loads.
        if (message.kind === 'logged') return;
        this.#worker.off('message', listen);
        resolve(message.kind === 'failed' ? message.failure : undefined);
      };
      this.#worker.on('message', listen);
      this.#worker.once('exit', () => resolve(EXITED));
    });
    this.#worker.once('error', (error) => {
      this.broken = true;
      this.#fail(isOutOfMemory(error) ? ABORTED : { errorType: error.name, errorMessage: error.message });
    });
    this.#worker.once('exit', () => {
      this.broken = true;
      this.#fail(EXITED);
    });
  }

  async run(event: unknown): Promise<unknown> {
    const unusable = await this.#ready;
    if (unusable) {
      this.broken = true;
      throw new FunctionError(unusable);
    }
    const requestId = randomUUID();
    const { Timeout } = this.#settings.properties;
    const answer = Promise.withResolvers<unknown>();
    this.#fail = (failure) => answer.reject(new FunctionError(failure));
    const timer = setTimeout(
      () => {
        this.broken = true;
        answer.reject(
          new FunctionError({
            errorType: 'Sandbox.Timedout',
            errorMessage: `RequestId: ${requestId} Error: Task timed out after ${Timeout}.00 seconds`,
          }),
        );
      },
      unlessDebugged(Timeout * 1000),
    );
    const listen = (message: FromWorker) => {
      if (message.kind === 'returned') answer.resolve(JSON.parse(message.json));
      else if (message.kind === 'failed') answer.reject(new FunctionError(message.failure));
    };
    this.#worker.on('message', listen);
    try {
      const message: ToWorker = {
        requestId,
        // Functions receive events as JSON, in AWS too.
        json: JSON.stringify(event ?? null),
        timeoutMilliseconds: Timeout * 1000,
      };
      this.#worker.postMessage(message, []);
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      this.#worker.off('message', listen);
      this.#fail = () => {};
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

const EXITED: InvocationFailure = {
  errorType: 'Runtime.ExitError',
  errorMessage: 'Runtime exited without providing a reason',
};

const ABORTED: InvocationFailure = {
  errorType: 'Runtime.ExitError',
  errorMessage: 'Runtime exited with error: signal: aborted',
};

const isOutOfMemory = (error: Error) => 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

function moduleFile({ folder, label, properties }: FunctionSettings): string {
  const name = properties.Handler.slice(0, properties.Handler.lastIndexOf('.'));
  const file = ['.mjs', '.cjs', '.js']
    .map((extension) => path.join(folder, `${name}${extension}`))
    .find((candidate) => existsSync(candidate));
  if (!file) throw new StartFailure(`The bundle of the function ${label} has no module ${name}.`);
  return file;
}

/** The function's own variables, Lambda's, and the endpoints that point the SDK at this machine. */
function environmentOf(
  { name, folder, properties }: FunctionSettings,
  { endpoints, compiledCode }: LambdaOptions,
): Record<string, string> {
  return {
    // Node reads this variable as the thread starts. runtime.ts removes it.
    ...(compiledCode !== undefined && { NODE_COMPILE_CACHE: compiledCode }),
    ...properties.Environment?.Variables,
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize),
    AWS_EXECUTION_ENV: `AWS_Lambda_${properties.Runtime}`,
    LAMBDA_TASK_ROOT: folder,
    _HANDLER: properties.Handler,
    TZ: ':UTC',
    // As in Lambda, a folder that doesn't exist, so that the SDK doesn't read the developer's profile.
    HOME: '/home/sbx_user1051',
    ...Object.fromEntries(
      Object.entries(endpoints).map(([service, origin]) => [`AWS_ENDPOINT_URL_${service}`, origin]),
    ),
  };
}
