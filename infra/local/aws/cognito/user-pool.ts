import type { CognitoService } from './service.ts';
import { ACCOUNT, REGION, type ResourceType, stableId, type Unnamed } from '../../stack/resource-type.ts';
import type { Resource, Stack } from '../../stack/template.ts';

const poolId = (pool: Unnamed) => `${REGION}_${stableId(pool, 9)}`;
const clientId = (client: Unnamed) => stableId(client, 26);
const provider = (pool: Unnamed) => `cognito-idp.${REGION}.amazonaws.com/${poolId(pool)}`;

export const userPoolTypes = {
  'AWS::Cognito::UserPool': {
    ref: poolId,
    attributes: {
      Arn: (pool) => `arn:aws:cognito-idp:${REGION}:${ACCOUNT}:userpool/${poolId(pool)}`,
      ProviderName: provider,
      ProviderURL: (pool) => `https://${provider(pool)}`,
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
} satisfies Record<string, ResourceType>;

/** The stack's user pools, in the Cognito stand-in. */
export class UserPools {
  readonly #cognito: CognitoService;
  #ids: readonly string[] = [];

  constructor(cognito: CognitoService) {
    this.#cognito = cognito;
  }

  update(stack: Stack): Promise<void> {
    const pools = stack.of('AWS::Cognito::UserPool');
    for (const { ref, properties } of pools) this.#cognito.putUserPool(ref, properties);
    const ofPool = (type: string, put: (poolId: string, resource: Resource) => void) => {
      for (const resource of stack.of(type)) put(String(resource.properties['UserPoolId']), resource);
    };
    ofPool('AWS::Cognito::UserPoolDomain', (pool, { properties }) =>
      this.#cognito.putUserPoolDomain(pool, properties),
    );
    // Before the clients, which name them.
    ofPool('AWS::Cognito::UserPoolIdentityProvider', (pool, { properties }) =>
      this.#cognito.putIdentityProvider(pool, properties),
    );
    ofPool('AWS::Cognito::UserPoolClient', (pool, { ref, properties }) =>
      this.#cognito.putUserPoolClient(pool, ref, properties),
    );
    this.#ids = pools.map(({ ref }) => ref);
    return Promise.resolve();
  }

  ids(): readonly string[] {
    return this.#ids;
  }
}
