import type { RequestListener } from 'node:http';
import * as z from 'zod/mini';
import type { BrowserSession, ListedUser } from './accounts.ts';
import { CognitoError } from './errors.ts';
import { CognitoService } from './service.ts';
import { ACCOUNT, REGION, type ResourceType, stableId, type Unnamed } from '../../stack/resource-type.ts';
import type { Resource, Stack } from '../../stack/template.ts';
import { knownProviders } from '../../vendors/identity-providers/stand-ins.ts';
import type { AwsService, ServiceContext } from '../service.ts';

const poolId = (pool: Unnamed) => `${REGION}_${stableId(pool, 9)}`;
const clientId = (client: Unnamed) => stableId(client, 26);
const providerName = (pool: Unnamed) => `cognito-idp.${REGION}.amazonaws.com/${poolId(pool)}`;

const types: Record<string, ResourceType> = {
  'AWS::Cognito::UserPool': {
    ref: poolId,
    attributes: {
      Arn: (pool) => `arn:aws:cognito-idp:${REGION}:${ACCOUNT}:userpool/${poolId(pool)}`,
      ProviderName: providerName,
      ProviderURL: (pool) => `https://${providerName(pool)}`,
      UserPoolId: poolId,
    },
  },
  'AWS::Cognito::UserPoolClient': {
    ref: clientId,
    attributes: { ClientId: clientId, Name: (client) => client.text('ClientName') ?? client.id },
  },
  'AWS::Cognito::UserPoolDomain': {
    ref: (domain) => domain.text('Domain') ?? domain.id,
    // Only a custom domain has a distribution of its own.
    attributes: {},
  },
  'AWS::Cognito::UserPoolIdentityProvider': {
    ref: (provider) => provider.text('ProviderName') ?? provider.id,
  },
};

export const cognito = {
  types,
  start({ clock, store, inbox, origins, endpoints, invoke }: ServiceContext) {
    const { cognito: origin, providers } = origins;
    endpoints['COGNITO_IDENTITY_PROVIDER'] = origin;
    return new UserPools(
      new CognitoService({
        clock,
        store,
        mail: inbox,
        origin,
        invoke,
        knownProviders: knownProviders(providers),
      }),
    );
  },
} satisfies AwsService;

const Regex = z.object({ RegexMatchStatement: z.optional(z.object({ RegexString: z.string() })) });
const OperationRules = z.object({
  Rules: z.array(
    z.object({
      Statement: z.object({
        AndStatement: z.optional(
          z.object({
            Statements: z.array(z.object({ NotStatement: z.optional(z.object({ Statement: Regex })) })),
          }),
        ),
      }),
    }),
  ),
});

/** The stack's user pools, in the Cognito stand-in. */
export class UserPools {
  readonly #service: CognitoService;
  #ids: readonly string[] = [];

  constructor(service: CognitoService) {
    this.#service = service;
  }

  update(stack: Stack): Promise<void> {
    const pools = stack.of('AWS::Cognito::UserPool');
    for (const { ref, properties } of pools) this.#service.pools.putUserPool(ref, properties);
    const ofPool = (type: string, put: (poolId: string, resource: Resource) => void) => {
      for (const resource of stack.of(type)) put(String(resource.properties['UserPoolId']), resource);
    };
    ofPool('AWS::Cognito::UserPoolDomain', (pool, { properties }) =>
      this.#service.pools.putUserPoolDomain(pool, properties),
    );
    // Providers come before the clients, which name them.
    ofPool('AWS::Cognito::UserPoolIdentityProvider', (pool, { properties }) =>
      this.#service.pools.putIdentityProvider(pool, properties),
    );
    ofPool('AWS::Cognito::UserPoolClient', (pool, { ref, properties }) =>
      this.#service.pools.putUserPoolClient(pool, ref, properties),
    );
    this.#service.allowedTargets = allowedTargetsOf(stack);
    this.#ids = pools.map(({ ref }) => ref);
    return Promise.resolve();
  }

  /** Serves Cognito's API and the pools' hosted domains. */
  get handle(): RequestListener {
    return this.#service.handle;
  }

  listUsers(): ListedUser[] {
    return this.#ids.flatMap((id) => this.#service.listUsers(id));
  }

  /** Signs in for the console. Undefined if no pool has the user; `refused` is Cognito's sentence. */
  async signInAs(sub: string): Promise<BrowserSession | { refused: string } | undefined> {
    try {
      for (const id of this.#ids) {
        const session = await this.#service.signInAs(id, sub);
        if (session) return session;
      }
      return undefined;
    } catch (error) {
      if (error instanceof CognitoError) return { refused: error.message };
      throw error;
    }
  }
}

/** The only emulated rule of a pool's web ACL: it blocks calls whose `X-Amz-Target` doesn't match. */
function allowedTargetsOf(stack: Stack): RegExp | undefined {
  const patterns = stack
    .of('AWS::WAFv2::WebACL')
    .filter(({ properties }) => properties['Scope'] === 'REGIONAL')
    .flatMap(({ properties }) => {
      const { Rules } = OperationRules.parse(properties);
      return Rules.flatMap(({ Statement }) => {
        const [, other] = Statement.AndStatement?.Statements ?? [];
        return other?.NotStatement?.Statement.RegexMatchStatement?.RegexString ?? [];
      });
    });
  return patterns[0] === undefined ? undefined : new RegExp(patterns[0]);
}
