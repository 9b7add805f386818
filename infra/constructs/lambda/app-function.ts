import path from 'node:path';
import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { UserPool } from 'aws-cdk-lib/aws-cognito';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type ILogGroup, LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import {
  type Access,
  type Need,
  USER_POOL_ID,
  type UserPoolAction,
  type VariablesOf,
} from '../../../schemas/config/environment.ts';
import { type TableAction, type TableName, tableVariable } from '../../../schemas/tables.ts';
import { METRIC_NAMESPACE } from '../../../schemas/config/metrics.ts';
import { tableRights } from '../data/table-rights.ts';
import { RoleWithRights } from '../role-with-rights.ts';
import type { CodeOf } from './function-code.ts';

interface Provision<Variables extends Record<string, string> = Record<string, string>> {
  environment: Variables;
  /** @default no rights */
  grant?: (to: Function) => void;
}

/** The resources that functions can get access to. */
export interface Provisions {
  tables: Readonly<Record<TableName, ITable>>;
  userPool: UserPool;
  needs: { [N in Need]: Provision<VariablesOf<N>> };
}

/** The settings that all functions of the stack share. */
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
  /** The handler's file below `handlers`, without its extension. */
  entry: string;
  /** The function gets the variables and rights of the resources listed here, and no others. */
  access: Access;
  /** A sentence for the Lambda console. */
  description: string;
  timeout: Duration;
  /** A log that several functions share: a stream's name has the function's. @default a log of its own */
  log?: ILogGroup;
}

/** A Lambda function on Node.js 24 and arm64 from `functions/`, with access to the resources it names. */
export class AppFunction extends Function {
  constructor(scope: Construct, id: string, props: AppFunctionProps) {
    const { entry } = props;
    const provided = provisionsFor(props);
    const logGroup = props.log ?? createLog(scope, `${id}Logs`, props);
    // CDK's default role may write to every log group of the account.
    const role = new RoleWithRights(scope, `${id}Role`, new ServicePrincipal('lambda.amazonaws.com'));
    logGroup.grantWrite(role);
    super(scope, id, {
      description: props.description,
      code: props.codeOf(scope, { entry, file: path.join(props.handlers, `${entry}.ts`) }),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      // MB. CPU is in proportion: more hardly speeds up cold starts, and makes calls more expensive.
      memorySize: 512,
      timeout: props.timeout,
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      role,
      environment: Object.assign(
        { [METRIC_NAMESPACE]: props.metricNamespace },
        ...provided.map(({ environment }) => environment),
      ),
    });
    for (const { grant } of provided) grant?.(this);
  }
}

/** A log group. The stage says how long it keeps lines. */
export const createLog = (
  scope: Construct,
  id: string,
  { logRetention }: Pick<FunctionSettings, 'logRetention'>,
): LogGroup => new LogGroup(scope, id, { retention: logRetention, removalPolicy: RemovalPolicy.DESTROY });

function provisionsFor({ entry, access, provisions }: AppFunctionProps): Provision[] {
  const { tables = {}, userPool, needs } = access;
  const known = { ...provisions.tables, ...provisions.needs };
  // The types refuse unknown names too, but a local stack reloads without a type check.
  const unknown = [...Object.keys(tables), ...needs].find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) {
    throw new Error(
      `functions/${entry}.ts names "${unknown}", which schemas/config/environment.ts doesn't list.`,
    );
  }
  return [
    ...Object.entries(tables).map(([name, actions]) =>
      tableProvision(tableVariable(name as TableName), provisions.tables[name as TableName], actions),
    ),
    ...(userPool ? [userPoolProvision(provisions.userPool, userPool)] : []),
    ...needs.map((need) => provisions.needs[need]),
  ];
}

const tableProvision = (variable: string, table: ITable, actions: readonly TableAction[]): Provision => ({
  environment: { [variable]: table.tableName },
  grant: (to) => {
    for (const right of tableRights(table, actions)) to.addToRolePolicy(right);
  },
});

const userPoolProvision = (pool: UserPool, actions: readonly UserPoolAction[]): Provision => ({
  environment: { [USER_POOL_ID]: pool.userPoolId },
  grant: (to) => pool.grant(to, ...actions.map((action) => `cognito-idp:${action}`)),
});
