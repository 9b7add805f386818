import { rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { localAddresses, readdressed } from './stack/addresses.ts';
import { Buckets } from './aws/s3.ts';
import { Clock } from './base/clock.ts';
import { CognitoService } from './aws/cognito/service.ts';
import { Console } from './console/console.ts';
import { Distributions } from './aws/cloudfront/distribution.ts';
import { startEngine } from './aws/dynamodb/engine.ts';
import { Tables } from './aws/dynamodb/tables.ts';
import { after } from './base/duration.ts';
import { holdFolder } from './base/folder.ts';
import { HttpApis } from './aws/http-api/http-api.ts';
import { Functions, type LogLine } from './aws/lambda/functions.ts';
import { Keys } from './aws/kms.ts';
import { isAddressedHere } from './base/local-callers.ts';
import { listen } from './base/loopback.ts';
import { Mail, type Message } from './base/inbox.ts';
import { EventForwarder, type StripeKeys } from './vendors/stripe-test-mode.ts';
import { IdentityProviders } from './vendors/identity-providers/identity-providers.ts';
import { watchStack } from './stack/reload.ts';
import { resourceTypes } from './stack/resource-types.ts';
import { type Outcome, Schedules } from './aws/scheduler/schedules.ts';
import { Secrets } from './aws/secrets-manager.ts';
import { EmailService } from './aws/ses.ts';
import { sentenceOf } from './base/start-failure.ts';
import { Store } from './base/store.ts';
import { type ListedEvent, StripeService } from './vendors/stripe/service.ts';
import { synthesiseStaging } from './stack/synthesis.ts';
import { type Stack, type Synthesised, Template } from './stack/template.ts';
import { UserPools } from './aws/cognito/user-pool.ts';
import { developmentSite } from './development-site.ts';

export interface WorldOptions {
  /** Of the site and the API; the next three are Cognito's, Stripe's, and Google's and GitHub's. */
  port: number;
  /** Where everything is kept. */
  dataDir: string;
  /** The site being worked on, served by Vite, or a built one in the folder `dist`. */
  site: { kind: 'development' } | { kind: 'built'; dist: string };
  /** Begin empty. */
  fresh?: boolean;
  /** A stack that has been synthesised already, with this very site. By default it is done here, and again on changes. */
  synthesised?: Synthesised;
  /** Stripe's test mode in place of the stand-in. */
  stripe?: StripeKeys | undefined;
  /** Told of every step that takes a while and of what functions write. Silent by default. */
  say?: (line: string) => void;
}

export interface RunningWorld {
  /** Of the site, like `http://localhost:3000`. */
  origin: string;
  /** Newest first. */
  mail(): Message[];
  /** Moves the whole world forward by an ISO 8601 duration. */
  advance(duration: string): Promise<Date>;
  /** Fires a schedule now, called by its name without product and stage. */
  fireSchedule(name: string): Promise<Outcome>;
  /** Rows of a table, called like `UserPlans`. */
  rows(table: string): Promise<Record<string, unknown>[]>;
  /** Newest first; none where real Stripe is used. */
  stripeEvents(): ListedEvent[];
  /** Brings what stands to another template. Where that fails what stood before stays. */
  update(synthesised: Synthesised): Promise<void>;
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const BROWSER_SCRIPT = '/__local/browser.js';
// What the stand-in takes and signs with; a real test mode has its own keys.
const STAND_IN = { secretKey: 'sk_test_local', publishableKey: 'pk_test_local' };
const WEBHOOK_SECRET = 'whsec_local';
/** What Google and GitHub know this product by. */
const PROVIDER_CLIENTS = {
  google: { clientId: 'local.apps.googleusercontent.com', clientSecret: 'local-google' },
  github: { clientId: 'local', clientSecret: 'local-github' },
};
// Enough to scroll back through; a terminal keeps the rest.
const MOST_LOG_LINES = 500;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Stands up the staging stack on this machine, with everything around it. */
export async function startWorld(options: WorldOptions): Promise<RunningWorld> {
  const closers: (() => unknown)[] = [];
  const closing = (close: () => unknown) => void closers.push(close);
  const stop = async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  try {
    return { ...(await stand(options, closing)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** `closing` is told how to end each thing as it starts; the last to start is the first to end. */
async function stand(
  { port, dataDir, site, fresh = false, synthesised, stripe: keys, say = () => {} }: WorldOptions,
  closing: (close: () => unknown) => void,
): Promise<Omit<RunningWorld, 'stop'>> {
  const origins = {
    site: `http://localhost:${port}`,
    cognito: `http://localhost:${port + 1}`,
    stripe: `http://localhost:${port + 2}`,
    providers: `http://localhost:${port + 3}`,
  };
  const folder = await holdFolder(path.resolve(dataDir), { fresh });
  closing(() => folder.release());

  // The ports are taken first, so that a taken one is known before anything takes time.
  let front: Handler = starting;
  let cognitoFront: Handler = starting;
  let stripeFront: Handler = starting;
  let providersFront: Handler = starting;
  const siteServer = await listen(port, (request, response) => front(request, response));
  closing(() => siteServer.close());
  const cognitoServer = await listen(
    port + 1,
    addressedHere(() => cognitoFront),
  );
  closing(() => cognitoServer.close());
  if (!keys) {
    const stripeServer = await listen(
      port + 2,
      addressedHere(() => stripeFront),
    );
    closing(() => stripeServer.close());
  }

  const providersServer = await listen(
    port + 3,
    addressedHere(() => providersFront),
  );
  closing(() => providersServer.close());

  const outdir = path.join(folder.path, 'cdk.out');
  const deployed = site.kind === 'built' ? site.dist : path.join(root, 'web', 'public');
  const synthesise = async () => {
    const paths = await synthesiseStaging({ outdir, site: deployed });
    return Template.read(paths, resourceTypes);
  };
  if (!synthesised) {
    say('Synthesising the stack …');
    // What earlier runs have bundled is of no use; what this one bundles stays in place for its functions.
    rmSync(outdir, { recursive: true, force: true });
  }
  const template = synthesised ? Promise.resolve(Template.read(synthesised, resourceTypes)) : synthesise();
  template.catch(() => {});
  const engine = await startEngine({ dataDir: folder.path });
  closing(() => engine.stop());
  if (engine.kind === 'java') say("DynamoDB is Amazon's own, on Java.");

  const store = new Store(path.join(folder.path, 'world.db'));
  closing(() => store.close());
  const saved = store.collection<number>('clock');
  const clock = new Clock(saved.get('offset'), (offset) => saved.put('offset', offset));
  const mail = new Mail({ clock, store });
  const secrets = new Secrets({
    store,
    known: {
      stripe: { secretKey: (keys ?? STAND_IN).secretKey, webhookSecret: WEBHOOK_SECRET },
      ...PROVIDER_CLIENTS,
    },
  });
  const signingKeys = new Keys({ store });
  const outgoing = new EmailService({ mail });
  /** Starts what functions reach by the SDK alone, and gives its address. */
  const service = async (handle: Handler): Promise<string> => {
    const server = await listen(
      0,
      addressedHere(() => handle),
    );
    closing(() => server.close());
    return `http://127.0.0.1:${server.port}`;
  };
  const tables = new Tables(engine.endpoint);
  closing(() => tables.stop());

  const lines: LogLine[] = [];
  const functions = new Functions({
    clock,
    endpoints: {
      DYNAMODB: engine.endpoint,
      SECRETS_MANAGER: await service(secrets.handle),
      COGNITO_IDENTITY_PROVIDER: origins.cognito,
      KMS: await service(signingKeys.handle),
      SESV2: await service(outgoing.handle),
    },
    log: (line) => {
      lines.unshift(line);
      lines.length = Math.min(lines.length, MOST_LOG_LINES);
      say(`${line.function}: ${line.text}`);
    },
  });
  closing(() => functions.stop());
  closing(() => clock.stop());
  const invoke = (functionArn: string, event: unknown) => functions.invoke(functionArn, event);
  const providers = new IdentityProviders({
    clock,
    store,
    origin: origins.providers,
    clients: PROVIDER_CLIENTS,
  });
  const cognito = new CognitoService({
    clock,
    store,
    mail,
    origin: origins.cognito,
    invoke,
    google: googleAt(origins.providers),
  });
  const pools = new UserPools(cognito);
  const buckets = new Buckets();
  const apis = new HttpApis({ clock, invoke });
  const schedules = new Schedules({ clock, store, invoke });
  const development =
    site.kind === 'development'
      ? await developmentSite({
          server: siteServer.server,
          port,
          dataDir: folder.path,
          scriptSource: BROWSER_SCRIPT,
        })
      : undefined;
  closing(() => development?.close());
  const distributions = new Distributions({
    apis,
    buckets,
    development,
    script: `<script src="${BROWSER_SCRIPT}"></script>`,
  });

  // Those that others name come first.
  const services: { update(stack: Stack): Promise<void> }[] = [
    tables,
    secrets,
    signingKeys,
    outgoing,
    functions,
    pools,
    buckets,
    apis,
    distributions,
    schedules,
  ];
  const stripeAddress = keys
    ? { kind: 'real' as const, publishableKey: keys.publishableKey }
    : { kind: 'stand-in' as const, publishableKey: STAND_IN.publishableKey };
  const apply = async (next: Template) => {
    const localised = localAddresses(next, origins, stripeAddress);
    const stack = readdressed(next, (text) => secrets.resolve(localised(text)));
    for (const service of services) await service.update(stack);
  };
  let standing = await template;
  await apply(standing);
  const update = async (next: Template) => {
    try {
      await apply(next);
    } catch (error) {
      await apply(standing);
      throw error;
    }
    standing = next;
  };

  const webhook = { url: `${origins.site}/api/stripe/webhook`, secret: WEBHOOK_SECRET };
  const handleSite: Handler = (request, response) => {
    const handled = Console.owns(request.url ?? '')
      ? localConsole.handle(request, response)
      : distributions.handle(request, response);
    handled.catch((error: unknown) => failed(request, response, error));
  };
  cognitoFront = cognito.handle;
  providersFront = providers.handle;

  // From here on Stripe may call, and does so at once with what a killed run has left undelivered.
  let stripe: { kind: 'stand-in'; service: StripeService } | { kind: 'real' } = { kind: 'real' };
  if (keys) {
    const forwarder = new EventForwarder({ keys, store, clock, webhook });
    closing(() => forwarder.stop());
    forwarder.start();
  } else {
    const { secretKey } = STAND_IN;
    const standIn = new StripeService({ clock, store, origin: origins.stripe, secretKey, webhook });
    closing(() => standIn.stop());
    stripeFront = standIn.handle;
    stripe = { kind: 'stand-in', service: standIn };
  }
  const localConsole = new Console({
    clock,
    mail,
    schedules,
    tables,
    stripe,
    people: () => pools.ids().flatMap((id) => cognito.listUsers(id)),
    providerAccounts: () => providers.listAccounts(),
    logs: () => lines,
    origin: origins.site,
    cognitoOrigin: origins.cognito,
  });
  front = handleSite;

  if (!synthesised) {
    const watcher = watchStack(root, async () => {
      const began = performance.now();
      try {
        await update(await synthesise());
        say(`The stack has changed: up to date after ${((performance.now() - began) / 1000).toFixed(1)} s.`);
      } catch (error) {
        say(`${sentenceOf(error)}\nThe stack stays as it was.`);
      }
    });
    closing(() => watcher.close());
  }

  return {
    origin: origins.site,
    mail: () => mail.list(),
    advance: async (duration) => {
      const start = clock.now();
      const end = after(start, duration);
      if (!end) throw new Error(`${duration} is not an ISO 8601 duration.`);
      const now = await clock.advance(end.getTime() - start.getTime());
      if (stripe.kind === 'stand-in') await stripe.service.allDelivered();
      return now;
    },
    fireSchedule: async (name) => {
      const outcome = await schedules.fire(name);
      if (!outcome) throw new Error(`There is no schedule ${name}.`);
      return outcome;
    },
    rows: async (table) => {
      const rows = await tables.rows(table);
      if (!rows) throw new Error(`There is no table ${table}.`);
      return rows;
    },
    stripeEvents: () => (stripe.kind === 'stand-in' ? stripe.service.listEvents() : []),
    update: async (paths) => update(Template.read(paths, resourceTypes)),
  };
}

const googleAt = (providers: string) => ({
  authorize: `${providers}/google/o/oauth2/v2/auth`,
  token: `${providers}/google/token`,
  jwks: `${providers}/google/oauth2/v3/certs`,
  userInfo: `${providers}/google/v1/userinfo`,
  issuer: 'https://accounts.google.com',
});

/** Refuses whoever came by a foreign name; the handler is looked up at each request, since it changes as the world starts. */
const addressedHere =
  (handler: () => Handler): Handler =>
  (request, response) => {
    if (isAddressedHere(request)) handler()(request, response);
    else response.writeHead(403).end();
  };

const starting: Handler = (_, response) => {
  response.writeHead(503, { 'content-type': 'text/plain', refresh: '1', 'retry-after': '1' });
  response.end('The local world is starting.');
};

function failed(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  // Whoever asked has gone in the middle of it.
  if (request.destroyed && !request.complete) return;
  console.error(error);
  if (response.headersSent) response.destroy();
  else response.writeHead(500, { 'content-type': 'text/plain' }).end(sentenceOf(error));
}
