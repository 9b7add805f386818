import * as z from 'zod/mini';
import { api, type RouteName } from '../../../schemas/api.ts';
import { SiteConfig } from '../../../schemas/config/site-config.ts';
import { type Challenge, srpClient } from './srp-client.ts';

export interface Credentials {
  email: string;
  password: string;
}

const Endpoints = z.object({
  cognito: z.string(),
  dynamodb: z.string(),
  stripe: z.nullable(z.string()),
});
const Mail = z.array(z.object({ to: z.string(), text: z.string(), links: z.array(z.string()) }));
const Accounts = z.array(z.object({ sub: z.string(), email: z.string(), state: z.string() }));
const SignedIn = z.object({ AuthenticationResult: z.object({ AccessToken: z.string() }) });

/** A client that uses a running local world over HTTP, as a browser and a member of support would. */
export class LocalClient {
  readonly origin: string;
  readonly config: SiteConfig;
  readonly endpoints: z.infer<typeof Endpoints>;

  private constructor(origin: string, config: SiteConfig, endpoints: z.infer<typeof Endpoints>) {
    this.origin = origin;
    this.config = config;
    this.endpoints = endpoints;
  }

  /** `origin`: the site's origin, like http://localhost:3000. */
  static async at(origin: string): Promise<LocalClient> {
    const [config, endpoints] = await Promise.all(
      ['/config.json', '/__local/endpoints'].map((path) => fetch(origin + path).then(jsonOf)),
    );
    return new LocalClient(origin, SiteConfig.parse(config), Endpoints.parse(endpoints));
  }

  async accounts(): Promise<z.infer<typeof Accounts>> {
    return Accounts.parse(await this.#local('accounts'));
  }

  /** The six digits in the text or a link of the newest mail to this address. */
  async codeFor(email: string): Promise<string> {
    const mail = Mail.parse(await this.#local('mail')).find(({ to }) => to === email);
    const code = /\b\d{6}\b/.exec([mail?.text, ...(mail?.links ?? [])].join(' '))?.[0];
    if (code === undefined) throw new Error(`There is no code in the newest mail to ${email}.`);
    return code;
  }

  async now(): Promise<Date> {
    return new Date(z.object({ now: z.string() }).parse(await this.#local('clock')).now);
  }

  /** Moves the world's clock by an ISO 8601 duration. */
  async advance(duration: string): Promise<void> {
    await jsonOf(
      await fetch(`${this.origin}/__local/clock`, {
        method: 'POST',
        body: JSON.stringify({ advance: duration }),
      }),
    );
  }

  /** Calls Cognito's API as a browser does. */
  async cognito(operation: string, request: Record<string, unknown>): Promise<unknown> {
    return jsonOf(
      await fetch(this.config.userPoolEndpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
        },
        body: JSON.stringify(request),
      }),
    );
  }

  /** Signs in as the site does. Resolves with the access token. */
  async signIn({ email, password }: Credentials): Promise<string> {
    const { userPoolId, userPoolClientId: ClientId } = this.config;
    const { SRP_A, prove } = srpClient();
    const { ChallengeParameters } = (await this.cognito('InitiateAuth', {
      AuthFlow: 'USER_SRP_AUTH',
      ClientId,
      AuthParameters: { USERNAME: email, SRP_A },
    })) as { ChallengeParameters: Challenge };
    const answer = await this.cognito('RespondToAuthChallenge', {
      ChallengeName: 'PASSWORD_VERIFIER',
      ClientId,
      ChallengeResponses: prove(userPoolId, password, ChallengeParameters),
    });
    return SignedIn.parse(answer).AuthenticationResult.AccessToken;
  }

  async call<R extends RouteName>(
    route: R,
    { token, body, query }: { token?: string; body?: unknown; query?: Record<string, string> },
  ): Promise<z.infer<(typeof api)[R]['response']>> {
    const { method, path, response } = api[route];
    const search = query ? `?${new URLSearchParams(query).toString()}` : '';
    const answer = await fetch(`${this.origin}/api${path}${search}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.parse(await jsonOf(answer)) as z.infer<(typeof api)[R]['response']>;
  }

  async #local(path: string): Promise<unknown> {
    return jsonOf(await fetch(`${this.origin}/__local/${path}`));
  }
}

/** The JSON of a successful response. Throws the text of a failure. */
export async function jsonOf(response: Response): Promise<unknown> {
  if (response.ok) return response.json();
  throw new Error(`${new URL(response.url).pathname} answered ${response.status}: ${await response.text()}`);
}
