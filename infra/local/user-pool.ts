import type { CognitoService } from './cognito/service.ts';
import { ACCOUNT, REGION, type ResourceType, stableId, type Unnamed } from './resource-type.ts';
import type { Stack } from './template.ts';

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
    for (const { ref, properties } of stack.of('AWS::Cognito::UserPoolClient')) {
      this.#cognito.putUserPoolClient(String(properties['UserPoolId']), ref, properties);
    }
    this.#ids = pools.map(({ ref }) => ref);
    return Promise.resolve();
  }

  ids(): readonly string[] {
    return this.#ids;
  }
}
