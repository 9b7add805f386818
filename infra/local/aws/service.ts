import type { RequestListener } from 'node:http';
import type { Clock } from '../base/clock.ts';
import type { Inbox } from '../base/inbox.ts';
import type { LogEntry } from '../base/log.ts';
import type { Store } from '../base/store.ts';
import type { LocalOrigins } from '../stack/addresses.ts';
import type { ResourceType } from '../stack/resource-type.ts';
import type { Stack } from '../stack/template.ts';
import type { DevelopmentSite, Origin } from './cloudfront/origin.ts';

export interface AwsService {
  /** CloudFormation's resource types. Reading a template needs the types, but no running service. */
  types: Record<string, ResourceType>;
  start(context: ServiceContext): LocalService | Promise<LocalService>;
}

export interface LocalService {
  /** Updates the service to this stack's resources, at the start and whenever the stack changes. */
  update(stack: Stack): Promise<void>;
  stop?(): void | Promise<void>;
}

/** An event of an AWS service, in EventBridge's form. */
export interface BusEvent {
  version: '0';
  id: string;
  'detail-type': string;
  source: string;
  account: string;
  /** ISO 8601. */
  time: string;
  region: string;
  resources: readonly string[];
  detail: object;
}

/** The world's parts for services, which reach each other as in AWS: by endpoint, ARN or domain name. */
export interface ServiceContext {
  clock: Clock;
  store: Store;
  inbox: Inbox;
  dataDir: string;
  origins: LocalOrigins;
  /** Values of secrets that a person enters in AWS, by the end of the secret's name. */
  knownSecrets: Record<string, unknown>;
  /** Vite's server in place of the site's bucket, during development of the site. */
  developmentSite: DevelopmentSite | undefined;
  /** HTML inserted first into the head of every page. */
  pageScript: string;
  log: (entry: LogEntry) => void;
  /** Prints a line for the person who started the world. */
  say: (line: string) => void;
  /** Serves an HTTP API on a free port of this machine. Resolves with its origin. */
  serve: (handle: RequestListener) => Promise<string>;
  /** Origins by the name in `AWS_ENDPOINT_URL_<name>`. A service that functions call adds its own. */
  endpoints: Record<string, string>;
  /** Runs a function of the stack. Rejects with the error that Lambda's callers get. */
  invoke: (functionArn: string, event: unknown) => Promise<unknown>;
  /** Resolves once every message that is visible in a queue was tried. */
  drained: () => Promise<void>;
  /** Puts an event on EventBridge's default bus. Resolves once the called functions have ended. */
  publish: (event: BusEvent) => Promise<void>;
  /** The bucket or API with this domain name, for a distribution to fetch from. */
  originAt: (domainName: string) => Origin | undefined;
}
