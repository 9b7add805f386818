import { constants, createHash, createPublicKey, privateEncrypt } from 'node:crypto';
import * as z from 'zod/mini';
import { type AwsCall, awsJson, AwsRefusal } from './json-protocol.ts';
import { propertiesOf } from '../stack/resource-properties.ts';
import { arn, type ResourceType, type Unnamed } from '../stack/resource-type.ts';
import { type RsaKeyPair, rsaKeyPair } from '../base/rsa-key-pair.ts';
import type { Collection, Store } from '../base/store.ts';
import type { Stack } from '../stack/template.ts';
import type { AwsService, ServiceContext } from './service.ts';

/** A UUID in KMS's format, which is the same at every start. */
function keyId({ stackName, id }: Unnamed): string {
  const digits = createHash('sha256').update(`${stackName}/${id}`).digest('hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20, 32),
  ].join('-');
}
const keyArn = (id: string) => arn('kms', `key/${id}`);

const types: Record<string, ResourceType> = {
  'AWS::KMS::Key': {
    ref: keyId,
    attributes: { Arn: (key) => keyArn(keyId(key)), KeyId: keyId },
  },
  'AWS::KMS::Alias': { ref: (alias) => alias.text('AliasName') ?? '' },
};

export const kms = {
  types,
  async start({ store, endpoints, serve }: ServiceContext) {
    const keys = new Keys({ store });
    endpoints['KMS'] = await serve(keys.handle);
    return keys;
  },
} satisfies AwsService;

// Required, because both default to an encryption key, which is not emulated.
const KeyProperties = z.object({
  KeySpec: z.literal('RSA_2048'),
  KeyUsage: z.literal('SIGN_VERIFY'),
  Enabled: z.optional(z.literal(true)),
});

const AliasProperties = z.object({ AliasName: z.string(), TargetKeyId: z.string() });

const ALGORITHM = 'RSASSA_PKCS1_V1_5_SHA_256';
// KMS's algorithms for an RSA key and for other keys, from its documentation of Sign.
const RSA_ALGORITHMS = ['RSASSA_PKCS1_V1_5', 'RSASSA_PSS'].flatMap((scheme) =>
  ['SHA_256', 'SHA_384', 'SHA_512'].map((digest) => `${scheme}_${digest}`),
);
const OTHER_ALGORITHMS = ['ECDSA_SHA_256', 'ECDSA_SHA_384', 'ECDSA_SHA_512', 'SM2DSA'];
// Bytes. The caller hashes a longer message and sends it as DIGEST.
const LONGEST_MESSAGE = 4096;
// The prefix of a SHA-256 digest in the block that RSASSA-PKCS1-v1_5 signs (RFC 8017, section 9.2).
const SHA_256_PREFIX = Buffer.from('3031300d060960864801650304020105000420', 'hex');

const SignRequest = z.object({
  KeyId: z.string(),
  Message: z.base64(),
  MessageType: z._default(z.enum(['RAW', 'DIGEST']), 'RAW'),
  SigningAlgorithm: z.enum([...RSA_ALGORITHMS, ...OTHER_ALGORITHMS]),
});
const GetPublicKeyRequest = z.object({ KeyId: z.string() });

/** The stack's KMS keys: Sign and GetPublicKey, for RSA keys. */
export class Keys {
  readonly #pairs: Collection<RsaKeyPair>;
  /** Key ids by id, ARN, alias and the alias's ARN. */
  #names = new Map<string, string>();

  constructor({ store }: { store: Store }) {
    this.#pairs = store.collection('kms/key-pairs');
  }

  update(stack: Stack): Promise<void> {
    const names = new Map<string, string>();
    for (const key of stack.of('AWS::KMS::Key')) {
      propertiesOf(KeyProperties, key);
      names.set(key.ref, key.ref).set(keyArn(key.ref), key.ref);
    }
    for (const alias of stack.of('AWS::KMS::Alias')) {
      const { AliasName, TargetKeyId } = propertiesOf(AliasProperties, alias);
      const id = names.get(TargetKeyId);
      if (id !== undefined) names.set(AliasName, id).set(arn('kms', AliasName), id);
    }
    this.#names = names;
    return Promise.resolve();
  }

  readonly handle = awsJson((call) => this.#answer(call));

  #answer({ target, body }: AwsCall): object {
    switch (target) {
      case 'TrentService.Sign':
        return this.#sign(read(SignRequest, body));
      case 'TrentService.GetPublicKey':
        return this.#publicKey(read(GetPublicKeyRequest, body));
      default:
        throw new AwsRefusal(
          'UnknownOperationException',
          'The local world answers only Sign and GetPublicKey.',
        );
    }
  }

  #sign({ KeyId, Message, MessageType, SigningAlgorithm }: z.infer<typeof SignRequest>): object {
    const id = this.#idOf(KeyId);
    const message = Buffer.from(Message, 'base64');
    if (message.length === 0 || message.length > LONGEST_MESSAGE) {
      throw invalid(
        `1 validation error detected: Value at 'message' failed to satisfy constraint: Member must have length between 1 and ${LONGEST_MESSAGE}`,
      );
    }
    if (OTHER_ALGORITHMS.includes(SigningAlgorithm)) {
      throw new AwsRefusal(
        'InvalidKeyUsageException',
        `Algorithm ${SigningAlgorithm} is incompatible with key spec RSA_2048.`,
      );
    }
    if (SigningAlgorithm !== ALGORITHM) {
      throw new AwsRefusal('UnsupportedOperationException', `The local world signs only with ${ALGORITHM}.`);
    }
    const digest = MessageType === 'RAW' ? createHash('sha256').update(message).digest() : message;
    if (digest.length !== 32) throw invalid(`Digest is invalid length for algorithm ${ALGORITHM}.`);
    const { privateKey } = rsaKeyPair(this.#pairs, id);
    const signature = privateEncrypt(
      { key: privateKey, padding: constants.RSA_PKCS1_PADDING },
      Buffer.concat([SHA_256_PREFIX, digest]),
    );
    return { KeyId: keyArn(id), Signature: signature.toString('base64'), SigningAlgorithm };
  }

  #publicKey({ KeyId }: z.infer<typeof GetPublicKeyRequest>): object {
    const id = this.#idOf(KeyId);
    const { publicKey } = rsaKeyPair(this.#pairs, id);
    return {
      KeyId: keyArn(id),
      PublicKey: createPublicKey(publicKey).export({ type: 'spki', format: 'der' }).toString('base64'),
      KeySpec: 'RSA_2048',
      CustomerMasterKeySpec: 'RSA_2048',
      KeyUsage: 'SIGN_VERIFY',
      SigningAlgorithms: RSA_ALGORITHMS,
    };
  }

  #idOf(name: string): string {
    const id = this.#names.get(name);
    if (id !== undefined) return id;
    throw new AwsRefusal(
      'NotFoundException',
      name.includes('alias/') ? `Alias ${name} is not found.` : `Key '${name}' does not exist`,
    );
  }
}

function read<T extends z.ZodMiniType>(schema: T, body: Record<string, unknown>): z.output<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(
    `1 validation error detected: Value at '${issue?.path.join('.') ?? ''}' failed to satisfy constraint: ${issue?.message ?? ''}`,
  );
}

const invalid = (message: string) => new AwsRefusal('ValidationException', message);
