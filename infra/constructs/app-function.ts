import path from 'node:path';
import { type Duration, RemovalPolicy, Stage } from 'aws-cdk-lib';
import { Architecture, Code, Function, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Environment, Need } from '../../schemas/environment.ts';
import { bundle } from './bundle.ts';

/** How the stack meets a need: the variables it sets, and the right it gives with them. */
export type Provisions = {
  [N in Need]: { environment: Environment<N>; grant: (to: Function) => void };
};

export interface AppFunctionProps {
  /** The handler's file, without its ending, below `handlers`. */
  entry: string;
  /** Folder of the handlers. */
  handlers: string;
  /** What the function may know and do; nothing else is given. */
  needs: readonly Need[];
  provisions: Provisions;
  /** One sentence for the person who finds it in the console. */
  description: string;
  timeout: Duration;
  /**
   * In MB. CPU comes in proportion.
   * @default 512, where a cold start is about as fast as it gets before the price of a call rises
   */
  memorySize?: number;
  /** How long its logs are kept. */
  logRetention: RetentionDays;
}

/** A Lambda of ours: bundled from `functions/`, on Node.js 24 and arm64, with the needs it names. */
export class AppFunction extends Function {
  constructor(scope: Construct, id: string, props: AppFunctionProps) {
    const out = Stage.of(scope)?.outdir ?? 'cdk.out';
    const folder = bundle(
      path.join(props.handlers, `${props.entry}.ts`),
      path.join(out, 'bundles', props.entry.replaceAll('/', '-')),
    );
    super(scope, id, {
      description: props.description,
      code: Code.fromAsset(folder),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memorySize ?? 512,
      timeout: props.timeout,
      loggingFormat: LoggingFormat.JSON,
      logGroup: new LogGroup(scope, `${id}Logs`, {
        retention: props.logRetention,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
      environment: Object.assign({}, ...props.needs.map((need) => props.provisions[need].environment)),
    });
    for (const need of props.needs) props.provisions[need].grant(this);
  }
}
