import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { distributionOrigins } from '../aws/cloudfront/properties.ts';
import { endStaleEngine } from '../aws/dynamodb/engine.ts';
import { resourceTypes, type RunningServices, startServices } from '../aws/services.ts';
import { Clock } from '../base/clock.ts';
import { isBrokenOff } from '../base/http-body.ts';
import { holdFolder } from '../base/folder.ts';
import { pagesOf } from '../base/local-callers.ts';
import { localCallersOnly, type ReservedPort, reservePort } from '../base/reserved-port.ts';
import { Inbox } from '../base/inbox.ts';
import { lineOf, Log } from '../base/log.ts';
import { listen } from '../base/loopback.ts';
import { sentenceOf } from '../base/start-failure.ts';
import { Store } from '../base/store.ts';
import { watchFailure } from '../base/watch-failure.ts';
import { connectStripe } from '../vendors/connect-stripe.ts';
import { createPrices } from '../vendors/stripe-prices.ts';
import { Console } from '../console/console.ts';
import { STRIPE_KEYS, WEBHOOK_SECRET } from '../vendors/credentials.ts';
import { developmentSite } from '../site/development-site.ts';
import { IDP_RESPONSE } from '../aws/cognito/hosted/answer-hosted.ts';
import { advance, operations, type RunningWorld, type WorldOptions } from './running-world.ts';
import { localAddresses, type LocalOrigins, readdressed, type StripeAddress } from '../stack/addresses.ts';
import { Deployment } from '../stack/deployment.ts';
import { localStage, withStage } from '../stack/local-stage.ts';
import { SourceStack } from '../stack/source-stack.ts';
import { type Synthesized, Template } from '../stack/template.ts';
import { IdentityProviders } from '../vendors/identity-providers/identity-providers.ts';
import { providerClients, standInAddresses } from '../vendors/identity-providers/stand-ins.ts';
import type { StripeKeys } from '../vendors/stripe-test-mode.ts';

type OnStop = (stop: () => unknown) => void;

const root = fileURLToPath(new URL('../../..', import.meta.url));
const BROWSER_SCRIPT = '/__local/browser.js';

/** Runs the staging stack on this machine, with the services around it. */
export async function startWorld(options: WorldOptions): Promise<RunningWorld> {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).toReversed()) await end();
  };
  try {
    return { ...(await start(options, (end) => void stops.push(end))), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** `onStop` gets a function that stops each part, as soon as the part runs. Parts stop in reverse order. */
async function start(options: WorldOptions, onStop: OnStop): Promise<Omit<RunningWorld, 'stop'>> {
  const { port, site, synthesized, stripe: keys, say = () => {} } = options;
  const origins = originsFrom(port);
  const dataDir = await openFolder(options, onStop);
  // The ports come first, so that a port in use is noticed before anything slow starts.
  const ports = await reservePorts(port, { stripe: !keys }, onStop);
  // Synthesis takes seconds in its own process. The rest starts in the meantime.
  const unwatched = onFirst((message) => say(watchFailure(message)));
  const source = sourceOf({ dataDir, site, synthesized, say, unwatched });
  onStop(() => source.close?.());
  const first = source.load();
  // The promise is awaited later, so an early failure must not count as unhandled.
  first.catch(() => {});

  const store = new Store(path.join(dataDir, 'world.db'));
  onStop(() => store.close());
  const clock = savedClock(store);
  const inbox = new Inbox({ clock, store });
  const log = new Log();
  const development =
    site.kind === 'development' ? startVite({ port, dataDir, unwatched }, ports.site) : undefined;
  onStop(() => development?.close());
  const services = await startServices(
    {
      clock,
      store,
      inbox,
      dataDir,
      origins,
      knownSecrets: {
        stripe: { secretKey: (keys ?? STRIPE_KEYS).secretKey, webhookSecret: WEBHOOK_SECRET },
        ...providerClients,
      },
      developmentSite: development,
      pageScript: `<script src="${BROWSER_SCRIPT}"></script>`,
      log: (entry) => {
        log.add(entry);
        say(lineOf(entry));
      },
      say,
      serve: (handle) => serve(handle, onStop),
    },
    onStop,
  );
  onStop(() => clock.stop());
  const providers = new IdentityProviders({ clock, store, origin: origins.providers });
  const deployment = createDeployment(services, { origins, keys, stage: localStage(store) });
  await development?.ready;
  const template = await first;
  await deployment.deploy(template);

  ports.cognito.handler = pagesOf([origins.site, origins.cognito], services.cognito.handle, {
    // The forms of providers.
    [IDP_RESPONSE]: origins.providers,
  });
  ports.providers.handler = providers.handle;
  const stripe = connectStripe({ clock, port: ports.stripe, keys, origins, store }, onStop);
  await createPrices(template, stripe);
  const world = operations({ clock, inbox, services, stripe, deployment, origins });
  const localConsole = new Console({
    clock,
    inbox,
    log,
    services,
    stripe,
    providers,
    origins,
    advance: (duration) => advance(clock, stripe, duration),
  });
  ports.site.handler = siteHandler(localConsole, services);
  const following = source.follow?.({
    deploy: (changed) => deployment.deploy(changed).then(() => createPrices(changed, stripe)),
    reloadFunctions: (folders) => services.lambda.reload(folders),
  });
  onStop(() => following?.close());
  await following?.ready;
  return world;
}

const originsFrom = (port: number): LocalOrigins => ({
  site: `http://localhost:${port}`,
  cognito: `http://localhost:${port + 1}`,
  stripe: `http://localhost:${port + 2}`,
  providers: `http://localhost:${port + 3}`,
});

async function openFolder({ dataDir, fresh = false }: WorldOptions, onStop: OnStop): Promise<string> {
  const folder = holdFolder(path.resolve(dataDir));
  onStop(() => folder.release());
  if (fresh) {
    await endStaleEngine(folder.path);
    folder.clear();
  }
  return folder.path;
}

async function reservePorts(port: number, { stripe }: { stripe: boolean }, onStop: OnStop) {
  const reserve = async (offset: number, purpose: string): Promise<ReservedPort> => {
    // The console refuses foreign host names itself.
    const reserved = await reservePort(port + offset, { callers: offset === 0 ? 'any' : 'local', purpose });
    onStop(() => reserved.close());
    return reserved;
  };
  return {
    site: await reserve(0, 'the site'),
    cognito: await reserve(1, 'Cognito'),
    stripe: stripe ? await reserve(2, 'Stripe') : undefined,
    providers: await reserve(3, 'the identity providers'),
  };
}

type Source = Pick<SourceStack, 'load'> & Partial<SourceStack>;

/** The given stack, or this checkout's with the site in `web/public` while Vite serves its pages. */
function sourceOf({
  dataDir,
  site,
  synthesized,
  say,
  unwatched,
}: Required<Pick<WorldOptions, 'dataDir' | 'site' | 'say'>> & {
  synthesized: Synthesized | undefined;
  unwatched: (message: string) => void;
}): Source {
  if (synthesized) return { load: async () => Template.read(synthesized, resourceTypes) };
  const deployed = site.kind === 'built' ? site.dist : path.join(root, 'web', 'public');
  return new SourceStack({ root, dataDir, site: deployed, types: resourceTypes, say, unwatched });
}

function savedClock(store: Store): Clock {
  const saved = store.collection<number>('clock');
  return new Clock(saved.get('offset'), (offset) => saved.put('offset', offset));
}

const startVite = (
  options: { port: number; dataDir: string; unwatched: (message: string) => void },
  { server }: ReservedPort,
) => developmentSite({ ...options, server, scriptSource: BROWSER_SCRIPT });

/** Only passes on the first call. */
function onFirst(take: (message: string) => void): (message: string) => void {
  let isTaken = false;
  return (message) => {
    if (!isTaken) take(message);
    isTaken = true;
  };
}

async function serve(handle: RequestListener, onStop: OnStop): Promise<string> {
  const server = await listen(0, localCallersOnly(handle));
  onStop(() => server.close());
  return `http://127.0.0.1:${server.port}`;
}

function createDeployment(
  services: RunningServices,
  { origins, keys, stage }: { origins: LocalOrigins; keys: StripeKeys | undefined; stage: string },
): Deployment {
  const stripe: StripeAddress = {
    kind: keys ? 'real' : 'stand-in',
    publishableKey: (keys ?? STRIPE_KEYS).publishableKey,
  };
  return new Deployment(Object.values(services), (template) => {
    const localise = localAddresses(
      template,
      distributionOrigins(template),
      origins,
      stripe,
      standInAddresses(origins.providers),
    );
    const stack = readdressed(template, (text) => services.secretsManager.resolve(localise(text)));
    return withStage(stack, stage, keys ? 'none' : 'automatic');
  });
}

function siteHandler(localConsole: Console, { cloudFront }: RunningServices): RequestListener {
  return (request, response) => {
    const handled = Console.owns(request.url ?? '')
      ? localConsole.handle(request, response)
      : cloudFront.handle(request, response);
    handled.catch((error: unknown) => fail(request, response, error));
  };
}

function fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (isBrokenOff(request)) return;
  console.error(error);
  if (response.headersSent) response.destroy();
  else response.writeHead(500, { 'content-type': 'text/plain' }).end(sentenceOf(error));
}
