import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { resourceTypes, type RunningServices, servicesOf, startServices } from '../aws/services.ts';
import type { ServiceContext } from '../aws/service.ts';
import type { Clock } from '../base/clock.ts';
import type { Inbox } from '../base/inbox.ts';
import { listen } from '../base/loopback.ts';
import type { Store } from '../base/store.ts';
import { readdressed } from '../stack/addresses.ts';
import { type Synthesized, Template } from '../stack/template.ts';

const stackName = 'selfsame-staging';

/** Resources of a CloudFormation template by their logical ids. */
export type Resources = Record<string, { Type: string; Properties?: Record<string, unknown> }>;

export interface AwsAsked {
  resources?: Resources;
  /** The stack, in place of resources. */
  synthesized?: Synthesized;
  /** The services that start. @default each that has a resource */
  only?: readonly (keyof RunningServices)[];
  /** Runs the stack's functions, in place of its own Lambda. */
  invoke?: ServiceContext['invoke'];
  /** Receives the events of EventBridge's bus, in place of its own. */
  publish?: ServiceContext['publish'];
}

const templateOf = (resources: Resources): Template =>
  new Template({ document: { Resources: resources }, types: resourceTypes, stackName });

/** The services of AWS that these resources need. */
export async function startAws(
  { clock, store, inbox }: { clock: Clock; store: Store; inbox: Inbox },
  { resources = {}, synthesized, only, invoke, publish }: AwsAsked,
) {
  const stops: (() => unknown)[] = [];
  const dataDir = mkdtempSync(path.join(tmpdir(), 'selfsame-aws-'));
  const nowhere = 'http://127.0.0.1:1';
  const template = synthesized ? Template.read(synthesized, resourceTypes) : templateOf(resources);
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
  /** The stack, with the values of secrets. */
  const stack = readdressed(template, (value) => services.secretsManager?.resolve(value) ?? value);
  await services.secretsManager?.update(template);
  for (const service of Object.values(services)) await service.update(stack);
  return {
    services,
    stack,
    /** Origins by the name in the SDK's variable `AWS_ENDPOINT_URL_<name>`. */
    endpoints,
    refOf: (id: string): string => template.refOf(id),
    async stop(): Promise<void> {
      for (const stop of stops.toReversed()) await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
