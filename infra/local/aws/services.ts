import type { ResourceType } from '../stack/resource-type.ts';
import { apiGateway } from './http-api/http-api.ts';
import { cloudFront } from './cloudfront/distribution.ts';
import { cognito } from './cognito/user-pool.ts';
import { dynamodb } from './dynamodb/tables.ts';
import { events } from './event-bus.ts';
import { kms } from './kms.ts';
import { lambda } from './lambda/functions.ts';
import { notEmulatedTypes } from './not-emulated.ts';
import { s3 } from './s3.ts';
import { scheduler } from './scheduler/schedules.ts';
import { secretsManager } from './secrets-manager.ts';
import type { Stack } from '../stack/template.ts';
import type { AwsService, LocalService, ServiceContext } from './service.ts';
import { ses } from './ses.ts';
import { sqs } from './sqs.ts';

/** AWS services in the order of their starts and updates: after those whose resources they name. */
const awsServices = {
  dynamodb,
  secretsManager,
  kms,
  ses,
  lambda,
  sqs,
  events,
  cognito,
  s3,
  apiGateway,
  cloudFront,
  scheduler,
} satisfies Record<string, AwsService>;

/** Resource types that a stack may have. Others are refused: the deployed product would silently differ. */
export const resourceTypes: Record<string, ResourceType> = {
  ...notEmulatedTypes,
  ...Object.fromEntries(Object.values(awsServices).flatMap(({ types }) => Object.entries(types))),
};

export type RunningServices = {
  [Name in keyof typeof awsServices]: Awaited<ReturnType<(typeof awsServices)[Name]['start']>>;
};

/**
 * Starts every service, or those that `isNeeded` names. `given` can replace functions and EventBridge's bus.
 * `onStop` gets a function that stops each service, as soon as the service runs.
 */
export async function startServices(
  given: Omit<ServiceContext, 'endpoints' | 'invoke' | 'drained' | 'publish' | 'originAt'> &
    Partial<Pick<ServiceContext, 'endpoints' | 'invoke' | 'publish'>>,
  onStop: (stop: () => unknown) => void,
  isNeeded: (name: keyof RunningServices) => boolean = () => true,
): Promise<RunningServices> {
  const running: Partial<RunningServices> = {};
  const context: ServiceContext = {
    endpoints: {},
    invoke: async (functionArn, event) => {
      if (!running.lambda) throw new Error(`${functionArn} is invoked before Lambda has started.`);
      return running.lambda.invoke(functionArn, event);
    },
    drained: async () => void (await running.sqs?.drained()),
    publish: async (event) => running.events?.publish(event),
    originAt: (domainName) => running.s3?.originAt(domainName) ?? running.apiGateway?.originAt(domainName),
    ...given,
  };
  for (const [name, definition] of Object.entries(awsServices)) {
    if (!isNeeded(name as keyof RunningServices)) continue;
    const service: LocalService = await definition.start(context);
    onStop(() => service.stop?.());
    Object.assign(running, { [name]: service });
  }
  return running as RunningServices;
}

/** The services that have a resource in this stack. */
export const servicesOf = (stack: Stack): readonly string[] =>
  Object.entries<AwsService>(awsServices)
    .filter(([, { types }]) => Object.keys(types).some((type) => stack.of(type).length > 0))
    .map(([name]) => name);
