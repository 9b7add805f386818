import { rmSync } from 'node:fs';
import path from 'node:path';
import { arn, generatedName, type ResourceType, type Unnamed } from '../../stack/resource-type.ts';
import { propertiesOf } from '../../stack/resource-properties.ts';
import { StartFailure } from '../../base/start-failure.ts';
import type { Stack } from '../../stack/template.ts';
import type { AwsService, ServiceContext } from '../service.ts';
import { EnvironmentLimit } from './environment-limit.ts';
import { FunctionProperties, type FunctionSettings, type LambdaOptions } from './execution-environment.ts';
import { FunctionError } from './function-error.ts';
import { LambdaFunction } from './function.ts';

const nameOf = (fn: Unnamed) => fn.text('FunctionName') ?? generatedName(fn);

const types: Record<string, ResourceType> = {
  'AWS::Lambda::Function': {
    ref: nameOf,
    attributes: { Arn: (fn) => arn('lambda', `function:${nameOf(fn)}`) },
  },
};

export const lambda = {
  types,
  start({ clock, endpoints, log, dataDir }: ServiceContext) {
    // Worlds of one test run share what they compile.
    const shared = process.env['NODE_COMPILE_CACHE'];
    const compiledCode = shared ?? path.join(dataDir, 'compiled');
    // Without this, every version of a chunk of the code would stay forever.
    if (shared === undefined) rmSync(compiledCode, { recursive: true, force: true });
    return new Functions({ clock, endpoints, log, compiledCode });
  },
} satisfies AwsService;

/** The stack's functions. They run the bundles in their assets. */
export class Functions {
  readonly #options: LambdaOptions;
  readonly #limit: EnvironmentLimit;
  #functions = new Map<string, LambdaFunction>();

  constructor(options: LambdaOptions, limit = new EnvironmentLimit()) {
    this.#options = options;
    this.#limit = limit;
  }

  update(stack: Stack): Promise<void> {
    const before = this.#functions;
    this.#functions = new Map();
    for (const resource of stack.of('AWS::Lambda::Function')) {
      const { ref, id } = resource;
      const parsed = propertiesOf(FunctionProperties, resource);
      // A function of CDK's custom resources, whose modules here do its work.
      if (!parsed.Runtime.startsWith('nodejs')) continue;
      if (parsed.Layers.length > 0) {
        throw new StartFailure(
          `The function ${id} has layers, which infra/local/aws/lambda/functions.ts doesn't load.`,
        );
      }
      if (parsed.Code.S3Key === undefined) {
        throw new StartFailure(`The function ${id} has its code in the template, which isn't run here.`);
      }
      const settings: FunctionSettings = {
        name: ref,
        label: parsed.FunctionName ?? id.replace(/[0-9A-F]{8}$/, ''),
        arn: resource.attribute('Arn'),
        folder: stack.asset(parsed.Code.S3Key),
        properties: parsed,
      };
      const running = before.get(settings.arn);
      const unchanged = running && JSON.stringify(running.settings) === JSON.stringify(settings);
      const fn = unchanged ? running : new LambdaFunction(settings, this.#options, this.#limit);
      this.#functions.set(settings.arn, fn);
    }
    const kept = new Set(this.#functions.values());
    for (const fn of before.values()) if (!kept.has(fn)) fn.retire();
    return Promise.resolve();
  }

  /** Runs the next invocations of the functions in these folders with the current code of the folders. */
  reload(folders: ReadonlySet<string>): void {
    for (const [functionArn, fn] of this.#functions) {
      if (!folders.has(fn.settings.folder)) continue;
      this.#functions.set(functionArn, new LambdaFunction(fn.settings, this.#options, this.#limit));
      fn.retire();
    }
  }

  /** Rejects with a `FunctionError` if the function threw, exited or timed out. Results pass through JSON. */
  invoke(functionArn: string, event: unknown): Promise<unknown> {
    const fn = this.#functions.get(functionArn);
    if (!fn) {
      return Promise.reject(
        new FunctionError({
          errorType: 'ResourceNotFoundException',
          errorMessage: `Function not found: ${functionArn}`,
        }),
      );
    }
    return fn.invoke(event);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#functions.values()].map((fn) => fn.stop()));
  }
}
