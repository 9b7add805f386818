import { knownProviders } from '../vendors/identity-providers/stand-ins.ts';
import { AuthorizationCodes } from '../aws/cognito/hosted/authorization-codes.ts';
import type { Clock } from '../base/clock.ts';
import type { CognitoOptions } from '../aws/cognito/parts.ts';
import type { Pools } from '../aws/cognito/pools.ts';
import { CognitoService } from '../aws/cognito/service.ts';
import type { Inbox, Message } from '../base/inbox.ts';
import { listen } from '../base/loopback.ts';
import type { Store } from '../base/store.ts';

/** The stand-in's only pool, its client, and the password of its users. */
export const cognitoDefaults = {
  poolId: 'us-east-1_Local0001',
  clientId: 'web',
  password: 'correct horse 1',
};
const { poolId, clientId, password } = cognitoDefaults;

/** The relevant properties of the template's pool, on the feature plan that has rotation. */
export const poolProperties = {
  UsernameAttributes: ['email'],
  UsernameConfiguration: { CaseSensitive: false },
  AutoVerifiedAttributes: ['email'],
  AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'admin_only', Priority: 1 }] },
  UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] },
  UserPoolTier: 'ESSENTIALS',
  EmailConfiguration: { EmailSendingAccount: 'DEVELOPER' },
  Policies: { PasswordPolicy: { MinimumLength: 6 } },
  Schema: [{ Name: 'email', Required: true, Mutable: true }],
};

/** The relevant properties of the site's client, with passwords without SRP too. */
export const clientProperties = {
  ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH', 'ALLOW_USER_PASSWORD_AUTH'],
  AccessTokenValidity: 15,
  IdTokenValidity: 15,
  RefreshTokenValidity: 60,
  TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'days' },
  RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 30 },
  EnableTokenRevocation: true,
  PreventUserExistenceErrors: 'ENABLED',
};

interface TriggerEvent {
  triggerSource: string;
  userName: string;
  request: Record<string, unknown>;
  response: Record<string, unknown>;
}
type Trigger = (event: TriggerEvent) => unknown;

interface Answer {
  status: number;
  headers: Headers;
  /** Undefined if the call succeeded. */
  error: string | undefined;
  message: string | undefined;
  // The shape depends on the operation. Each test knows which operation it called.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface CognitoAsked {
  pool?: Record<string, unknown>;
  client?: Record<string, unknown>;
  /** The function behind each trigger of `LambdaConfig`. */
  triggers?: Record<string, Trigger>;
  /** @default at addresses where nothing answers */
  knownProviders?: CognitoOptions['knownProviders'];
  /** Creates what the client depends on besides the pool. */
  declare?: (pools: Pools) => void;
}

/** Cognito's stand-in with one pool and one client. */
export async function startCognito(
  { clock, store, inbox: mail }: { clock: Clock; store: Store; inbox: Inbox },
  options: CognitoAsked,
) {
  const events: TriggerEvent[] = [];
  const triggers = options.triggers ?? {};
  let service: CognitoService | undefined;
  const server = await listen(0, (request, response) => service?.handle(request, response));
  const origin = `http://127.0.0.1:${server.port}`;

  /** Starts a new service on the same store. */
  const start = (): CognitoService => {
    service = new CognitoService({
      clock,
      store,
      mail,
      origin,
      knownProviders: options.knownProviders ?? knownProviders('http://127.0.0.1:9'),
      invoke: async (functionArn, event) => {
        events.push(structuredClone(event) as TriggerEvent);
        return triggers[functionArn]?.(event as TriggerEvent);
      },
    });
    const LambdaConfig = Object.fromEntries(Object.keys(triggers).map((name) => [name, name]));
    service.pools.putUserPool(poolId, { ...poolProperties, LambdaConfig, ...options.pool });
    options.declare?.(service.pools);
    service.pools.putUserPoolClient(poolId, clientId, { ...clientProperties, ...options.client });
    return service;
  };
  start();

  /** A raw API call, as a page makes it. */
  const call = async (
    operation: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(origin, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    // A deletion has no body.
    const answer = JSON.parse((await response.text()) || '{}') as {
      ['__type']?: string;
      message?: string;
    };
    return {
      status: response.status,
      headers: response.headers,
      error: response.headers.get('x-amzn-errortype')?.replace(':', '') ?? answer['__type'],
      message: answer.message,
      body: answer,
    };
  };

  /** A call signed with AWS credentials, as a function makes it. */
  const signed = (operation: string, body: object): Promise<Answer> =>
    call(operation, { UserPoolId: poolId, ...body }, { authorization: 'AWS4-HMAC-SHA256 Credential=local' });

  /** The newest message to an address, and the code in it. */
  const lastMail = (to: string): Message & { code: string } => {
    const message = mail.list().find((received) => received.to === to);
    if (!message) throw new Error(`No mail to ${to}`);
    return { ...message, code: /\d{6}/.exec(message.text)?.[0] ?? '' };
  };

  /** Creates a confirmed user who can sign in with `password`, by raw calls. */
  const confirmedUser = async (email: string): Promise<void> => {
    const UserAttributes = [{ Name: 'name', Value: 'Ada' }];
    await call('SignUp', { ClientId: clientId, Username: email, Password: password, UserAttributes });
    const ConfirmationCode = lastMail(email).code;
    const confirmed = await call('ConfirmSignUp', { ClientId: clientId, Username: email, ConfirmationCode });
    if (confirmed.error) throw new Error(`${confirmed.error}: ${confirmed.message}`);
  };

  const signInRaw = async (email: string, secret = password): Promise<Answer> =>
    call('InitiateAuth', {
      AuthFlow: 'USER_PASSWORD_AUTH',
      ClientId: clientId,
      AuthParameters: { USERNAME: email, PASSWORD: secret },
    });

  return {
    call,
    clock,
    /** Issues codes as the hosted sign-in does. */
    codes: new AuthorizationCodes({ clock, store }),
    confirmedUser,
    events,
    lastMail,
    mail,
    origin,
    restart: start,
    signed,
    signInRaw,
    store,
    stop: () => server.close(),
  };
}

export type CognitoStandIn = Awaited<ReturnType<typeof startCognito>>;
