import path from 'node:path';
import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Environment, Need } from '../../schemas/environment.ts';
import { METRIC_NAMESPACE } from '../../schemas/metrics.ts';
import type { CodeOf } from './function-code.ts';

/** What each need gives a function: environment variables, and a grant. */
export type Provisions = {
  [N in Need]: { environment: Environment<N>; grant: (to: Function) => void };
};

/** What all functions of the stack share. */
export interface FunctionSettings {
  /** Folder of the handlers. */
  handlers: string;
  codeOf: CodeOf;
  provisions: Provisions;
  logRetention: RetentionDays;
  /** The keys that functions with a route accept from CloudFront, with commas between. */
  originKeys: string;
  /** CloudWatch namespace of the stack's own metrics. */
  metricNamespace: string;
}

export interface AppFunctionProps extends FunctionSettings {
  /** The handler's file below `handlers`, without its ending. */
  entry: string;
  /** The function gets the variables and grants of these needs, and no others. */
  needs: readonly Need[];
  /** One sentence, shown in the Lambda console. */
  description: string;
  timeout: Duration;
  /**
   * In MB. CPU comes in proportion.
   * @default 512: cold starts hardly get faster above it, and calls get more expensive
   */
  memorySize?: number;
}

/** A Lambda function, bundled from `functions/`, on Node.js 24 and arm64, with the needs that it names. */
export class AppFunction extends Function {
  constructor(scope: Construct, id: string, props: AppFunctionProps) {
    const { entry } = props;
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: props.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // CDK's own role may write to every log group of the account.
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    super(scope, id, {
      description: props.description,
      code: props.codeOf(scope, { entry, file: path.join(props.handlers, `${entry}.ts`) }),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memorySize ?? 512,
      timeout: props.timeout,
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      role,
      environment: Object.assign(
        { [METRIC_NAMESPACE]: props.metricNamespace },
        ...props.needs.map((need) => props.provisions[need].environment),
      ),
    });
    for (const need of props.needs) props.provisions[need].grant(this);
  }
}
