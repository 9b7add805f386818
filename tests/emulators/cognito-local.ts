import { mkdtempSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CognitoOptions } from '../../infra/local/aws/cognito/service.ts';
import type { Store } from '../../infra/local/base/store.ts';
import { noteUnsupported } from './compared-test.ts';

const installed = path.join(import.meta.dirname, '../../node_modules/.cache/emulators/package.json');
const require = createRequire(installed);
/** A module of cognito-local. Its own types say less than its code: most of its parts are not exported. */
// oxlint-disable-next-line typescript/no-explicit-any
const load = (name: string): any => require(`cognito-local/lib/${name}.js`);

const { UnsupportedError } = load('errors');
const { Router } = load('server/Router');
const { createServer } = load('server/server');
const { LambdaService, MessagesService, TriggersService } = load('services/index');
const { CognitoServiceFactoryImpl, USER_POOL_AWS_DEFAULTS } = load('services/cognitoService');
const { StormDBDataStoreFactory } = load('services/dataStore/stormDb');
const { MessageDeliveryService } = load('services/messageDelivery/messageDelivery');
const { JwtTokenGenerator } = load('services/tokenGenerator');
const { UserPoolServiceFactoryImpl } = load('services/userPoolService');
const { otp } = load('services/otp');
const logger = require('pino')({ level: 'silent' });
const context = { logger };

type Properties = Record<string, unknown>;

/** Where each store's world keeps its pools, so that a restart finds them. */
const folders = new WeakMap<Store, string>();

/**
 * cognito-local in the place of our stand-in: with the world's clock, inbox and triggers, and with pools and
 * clients of given ids. Its HTTP server, operations, tokens and storage are its own.
 */
export class CognitoService {
  readonly #triggers: Record<string, string> = {};
  readonly #server: Promise<RequestListener>;
  // oxlint-disable-next-line typescript/no-explicit-any
  #cognito: any;
  #clock: { get: () => Date };
  /** Resolves once pools and clients are created. Requests wait for it. */
  #ready: Promise<unknown>;

  constructor({ clock, store, mail, origin, invoke }: CognitoOptions) {
    const folder = folders.get(store) ?? mkdtempSync(path.join(tmpdir(), 'cognito-local-'));
    folders.set(store, folder);
    this.#clock = { get: () => clock.now() };
    this.#server = this.#start(folder, {
      origin,
      send: (to, { __code, emailSubject = 'Your confirmation code', emailMessage }) =>
        mail.send({
          from: '',
          to,
          subject: emailSubject,
          html: emailMessage ?? `Your confirmation code is ${__code}`,
        }),
      lambda: {
        invoke: ({ FunctionName, Payload }) => ({
          promise: async () => {
            try {
              const event = await invoke(FunctionName, JSON.parse(Payload) as never);
              return { StatusCode: 200, Payload: JSON.stringify(event) };
            } catch (error) {
              return { FunctionError: 'Unhandled', Payload: JSON.stringify(error) };
            }
          },
        }),
      },
    });
    this.#ready = this.#server;
  }

  async #start(
    folder: string,
    {
      origin,
      send,
      lambda,
    }: {
      origin: string;
      send: (to: string, message: { __code: string; emailSubject?: string; emailMessage?: string }) => void;
      lambda: { invoke: (call: { FunctionName: string; Payload: string }) => { promise: () => unknown } };
    },
  ): Promise<RequestListener> {
    const clock = this.#clock;
    const stores = new StormDBDataStoreFactory(folder);
    const pools = new UserPoolServiceFactoryImpl(clock, stores);
    const cognito = await new CognitoServiceFactoryImpl(folder, stores, pools).create(context, {});
    this.#cognito = cognito;
    const triggers = new TriggersService(
      clock,
      cognito,
      new LambdaService(this.#triggers, lambda),
      undefined,
    );
    const sendEmail = async (_: unknown, __: unknown, to: string, message: { __code: string }) =>
      send(to, message);
    const services = {
      clock,
      cognito,
      config: { UserPoolDefaults: { UsernameAttributes: ['email'] } },
      messages: new MessagesService(triggers, new MessageDeliveryService({ sendEmail })),
      otp,
      tokenGenerator: new JwtTokenGenerator(clock, triggers, { IssuerDomain: origin }),
      triggers,
    };
    const router = Router(services);
    const noting =
      (target: string) =>
      async (...call: unknown[]) =>
        router(target)(...call).catch((error: Error) => {
          // The operation or flow is none of cognito-local's, so there is nothing to compare.
          if (error instanceof UnsupportedError) noteUnsupported(error.message);
          throw error;
        });
    return createServer(noting, logger, {}, services).application as RequestListener;
  }

  #next(work: () => Promise<unknown>): void {
    this.#ready = this.#ready.then(work);
    // A request fails with it.
    this.#ready.catch(() => undefined);
  }

  putUserPool(id: string, { LambdaConfig, Schema, ...properties }: Properties): void {
    Object.assign(this.#triggers, LambdaConfig);
    this.#next(async () => {
      const pools: { Id: string }[] = await this.#cognito.listUserPools(context);
      if (pools.some(({ Id }) => Id === id)) return;
      const schema = new Map((Schema as { Name: string }[] | undefined)?.map((each) => [each.Name, each]));
      await this.#cognito.createUserPool(context, {
        ...properties,
        Id: id,
        Arn: id,
        CreationDate: this.#clock.get(),
        LastModifiedDate: this.#clock.get(),
        SchemaAttributes: USER_POOL_AWS_DEFAULTS.SchemaAttributes.map((each: { Name: string }) => ({
          ...each,
          ...schema.get(each.Name),
        })),
      });
    });
  }

  putUserPoolClient(poolId: string, clientId: string, properties: Properties): void {
    this.#next(async () => {
      const pool = await this.#cognito.getUserPool(context, poolId);
      const now = this.#clock.get();
      await pool.saveAppClient(context, {
        ...properties,
        ClientId: clientId,
        UserPoolId: poolId,
        CreationDate: now,
        LastModifiedDate: now,
      });
    });
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.#ready
      .then(async () => (await this.#server)(request, response))
      .catch((error: unknown) => response.writeHead(500).end(JSON.stringify({ message: String(error) })));
  };

  /** cognito-local has no identity providers or domains. */
  putIdentityProvider(): void {}
  putUserPoolDomain(): void {}
}
