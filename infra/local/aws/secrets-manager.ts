import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { type AwsCall, awsJson, AwsRefusal, objectIn } from './json-protocol.ts';
import { propertiesOf } from '../stack/resource-properties.ts';
import { arn, generatedName, type ResourceType, stableId, type Unnamed } from '../stack/resource-type.ts';
import type { Collection, Store } from '../base/store.ts';
import { StartFailure } from '../base/start-failure.ts';
import type { Resource, Stack } from '../stack/template.ts';
import type { AwsService, ServiceContext } from './service.ts';

const nameOf = (secret: Unnamed) => secret.text('Name') ?? generatedName(secret);
const arnOf = (secret: Unnamed) => arn('secretsmanager', `secret:${nameOf(secret)}-${stableId(secret, 6)}`);

const types: Record<string, ResourceType> = {
  'AWS::SecretsManager::Secret': { ref: arnOf, attributes: { Id: arnOf } },
};

export const secretsManager = {
  types,
  async start({ store, knownSecrets, endpoints, serve }: ServiceContext) {
    const secrets = new Secrets({ store, known: knownSecrets });
    secrets.endpoint = await serve(secrets.handle);
    endpoints['SECRETS_MANAGER'] = secrets.endpoint;
    return secrets;
  },
} satisfies AwsService;

const SecretProperties = z.object({
  Name: z.optional(z.string()),
  SecretString: z.optional(z.string()),
  GenerateSecretString: z.optional(
    z.object({
      SecretStringTemplate: z.optional(z.string()),
      GenerateStringKey: z.optional(z.string()),
      // Secrets Manager's default.
      PasswordLength: z._default(z.number(), 32),
    }),
  ),
});

// {{resolve:secretsmanager:<name or ARN>:SecretString:<key>:<stage>:<version>}}. An ARN contains colons, too.
const DYNAMIC_REFERENCE = /\{\{resolve:secretsmanager:([^{}]+?):SecretString:([^:{}]+):{0,2}\}\}/g;

interface Secret {
  arn: string;
  name: string;
  value: string;
}

/** Secrets Manager: GetSecretValue. */
export class Secrets {
  readonly #known: Record<string, unknown>;
  readonly #generated: Collection<string>;
  #secrets: readonly Secret[] = [];
  /** Origin of the API. Empty until the API is served. */
  endpoint = '';

  /** `known`: values that a person enters in AWS, by the end of the secret's name. */
  constructor({ store, known }: { store: Store; known: Record<string, unknown> }) {
    this.#known = known;
    this.#generated = store.collection('secrets-manager/generated');
  }

  update(stack: Stack): Promise<void> {
    this.#secrets = stack.of('AWS::SecretsManager::Secret').map((resource) => ({
      arn: resource.ref,
      name: propertiesOf(SecretProperties, resource).Name ?? resource.ref.split(':secret:')[1] ?? '',
      value: this.#valueOf(resource),
    }));
    return Promise.resolve();
  }

  /** Resolves dynamic references to secrets in `text`, as CloudFormation does in properties. */
  resolve(text: string): string {
    return text.replaceAll(DYNAMIC_REFERENCE, (reference, id: string, key: string) => {
      const value = objectIn(this.#find(id)?.value ?? '')[key];
      if (typeof value === 'string') return value;
      throw new StartFailure(`The local world has no value for ${reference}.`);
    });
  }

  readonly handle = awsJson((call) => this.#answer(call));

  #answer({ target, body: { SecretId } }: AwsCall): object {
    if (target !== 'secretsmanager.GetSecretValue') {
      throw new AwsRefusal('InvalidRequestException', 'The local world answers only GetSecretValue.');
    }
    const secret = this.#find(String(SecretId));
    if (!secret) {
      throw new AwsRefusal('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    }
    return {
      ARN: secret.arn,
      Name: secret.name,
      SecretString: secret.value,
      VersionId: '00000000-0000-4000-8000-000000000000',
      VersionStages: ['AWSCURRENT'],
    };
  }

  /** A secret of the stack, or a secret that a person creates before deploying. */
  #find(id: string): Secret | undefined {
    const ofStack = this.#secrets.find((secret) => id === secret.arn || id === secret.name);
    if (ofStack) return ofStack;
    const known = this.#knownAs(id);
    if (known === undefined) return undefined;
    return { arn: arn('secretsmanager', `secret:${id}-local`), name: id, value: JSON.stringify(known) };
  }

  #knownAs(name: string): unknown {
    const called = name.toLowerCase();
    return Object.entries(this.#known).find(
      ([ending]) => called.endsWith(ending) || called.endsWith(`${ending}secret`),
    )?.[1];
  }

  #valueOf(resource: Resource): string {
    const { Name, SecretString, GenerateSecretString } = propertiesOf(SecretProperties, resource);
    const known = this.#knownAs(Name ?? resource.id.replace(/[0-9A-F]{8}$/, ''));
    if (known) return JSON.stringify(known);
    if (SecretString !== undefined) return SecretString;
    const generated = this.#generated.get(resource.ref);
    if (generated !== undefined) return generated;
    const { PasswordLength, SecretStringTemplate, GenerateStringKey } = GenerateSecretString ?? {
      PasswordLength: 32,
    };
    const password = randomBytes(PasswordLength).toString('base64url').slice(0, PasswordLength);
    const value =
      GenerateStringKey === undefined
        ? password
        : JSON.stringify({ ...objectIn(SecretStringTemplate ?? '{}'), [GenerateStringKey]: password });
    this.#generated.put(resource.ref, value);
    return value;
  }
}
