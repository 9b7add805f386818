import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { resourceTypes, type RunningServices, servicesOf, startServices } from '../aws/services.ts';
import type { ServiceContext } from '../aws/service.ts';
import type { Clock } from '../base/clock.ts';
import type { Inbox } from '../base/inbox.ts';
import { listen } from '../base/loopback.ts';
import type { Store } from '../base/store.ts';
import { Template } from '../stack/template.ts';

const stackName = 'selfsame-staging';

/** Resources of a CloudFormation template by their logical ids. */
export type Resources = Record<string, { Type: string; Properties?: Record<string, unknown> }>;

export interface AwsAsked {
  /** The stack. Only services with a resource in it start. */
  resources: Resources | Template;
  /** The services that start. @default each that has a resource */
  only?: readonly (keyof RunningServices)[];
  /** Runs the stack's functions, in place of its own Lambda. */
  invoke?: ServiceContext['invoke'];
  /** Receives the events of EventBridge's bus, in place of its own. */
  publish?: ServiceContext['publish'];
}

const templateOf = (resources: Resources | Template): Template =>
  resources instanceof Template
    ? resources
    : new Template({ document: { Resources: resources }, types: resourceTypes, stackName });

/** The services of AWS that these resources need. */
export async function startAws(
  { clock, store, inbox }: { clock: Clock; store: Store; inbox: Inbox },
  { resources, only, invoke, publish }: AwsAsked,
) {
  const stops: (() => unknown)[] = [];
  const dataDir = mkdtempSync(path.join(tmpdir(), 'selfsame-aws-'));
  const nowhere = 'http://127.0.0.1:1';
  let template = templateOf(resources);
  const needed: readonly string[] = only ?? servicesOf(template);
  const endpoints: Record<string, string> = {};
  const services: Partial<RunningServices> = await startServices(
    {
      endpoints,
      clock,
      store,
      inbox,
      dataDir,
      origins: { site: nowhere, cognito: nowhere, stripe: nowhere, providers: nowhere },
      knownSecrets: {},
      developmentSite: undefined,
      pageScript: '',
      log: () => {},
      say: () => {},
      serve: async (handle) => {
        const server = await listen(0, handle);
        stops.push(() => server.close());
        return `http://127.0.0.1:${server.port}`;
      },
      ...(invoke && { invoke }),
      ...(publish && { publish }),
    },
    (stop) => void stops.push(stop),
    (name) => needed.includes(name),
  );
  const update = async (next: Resources | Template): Promise<void> => {
    template = templateOf(next);
    for (const service of Object.values(services)) await service.update(template);
  };
  await update(resources);
  return {
    services,
    /** Origins by the name in the SDK's variable `AWS_ENDPOINT_URL_<name>`. */
    endpoints,
    /** The value of a resource's `Ref`. */
    refOf: (id: string): string => template.refOf(id),
    update,
    async stop(): Promise<void> {
      for (const stop of stops.toReversed()) await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
