import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { propertiesOf } from './resource-properties.ts';
import { arn, generatedName, type ResourceType, stableId, type Unnamed } from './resource-type.ts';
import type { Collection, Store } from './store.ts';
import type { Resource, Stack } from './template.ts';

const nameOf = (secret: Unnamed) => secret.text('Name') ?? generatedName(secret);
const arnOf = (secret: Unnamed) => arn('secretsmanager', `secret:${nameOf(secret)}-${stableId(secret, 6)}`);

export const secretsManagerTypes = {
  'AWS::SecretsManager::Secret': { ref: arnOf, attributes: { Id: arnOf } },
} satisfies Record<string, ResourceType>;

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

/** Values for secrets that a person puts into AWS by hand, by how their name ends. */
export type KnownSecrets = Record<string, unknown>;

interface Secret {
  arn: string;
  name: string;
  value: string;
}

/** Secrets Manager, as far as a function asks it: GetSecretValue. */
export class Secrets {
  readonly #known: KnownSecrets;
  readonly #generated: Collection<string>;
  #secrets: readonly Secret[] = [];

  constructor({ store, known }: { store: Store; known: KnownSecrets }) {
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

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { status, body } = this.#answer(
        String(request.headers['x-amz-target']),
        Buffer.concat(chunks).toString('utf8'),
      );
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify(body));
    });
  };

  #answer(target: string, text: string): { status: number; body: object } {
    if (target !== 'secretsmanager.GetSecretValue') {
      return failure('InvalidRequestException', 'The local world answers GetSecretValue alone.');
    }
    const { SecretId } = parsed(text);
    const secret = this.#secrets.find(({ arn, name }) => SecretId === arn || SecretId === name);
    if (!secret) {
      return failure('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    }
    return {
      status: 200,
      body: {
        ARN: secret.arn,
        Name: secret.name,
        SecretString: secret.value,
        VersionId: '00000000-0000-4000-8000-000000000000',
        VersionStages: ['AWSCURRENT'],
      },
    };
  }

  #valueOf(resource: Resource): string {
    const { Name, SecretString, GenerateSecretString } = propertiesOf(SecretProperties, resource);
    const called = (Name ?? resource.id.replace(/[0-9A-F]{8}$/, '')).toLowerCase();
    const known = Object.entries(this.#known).find(
      ([ending]) => called.endsWith(ending) || called.endsWith(`${ending}secret`),
    );
    if (known) return JSON.stringify(known[1]);
    if (SecretString !== undefined) return SecretString;
    const standing = this.#generated.get(resource.ref);
    if (standing !== undefined) return standing;
    const { PasswordLength, SecretStringTemplate, GenerateStringKey } = GenerateSecretString ?? {
      PasswordLength: 32,
    };
    const password = randomBytes(PasswordLength).toString('base64url').slice(0, PasswordLength);
    const value =
      GenerateStringKey === undefined
        ? password
        : JSON.stringify({ ...parsed(SecretStringTemplate ?? '{}'), [GenerateStringKey]: password });
    this.#generated.put(resource.ref, value);
    return value;
  }
}

function failure(type: string, message: string): { status: number; body: object } {
  return { status: 400, body: { __type: type, Message: message } };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
