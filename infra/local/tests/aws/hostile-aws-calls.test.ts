import { afterEach, expect, test } from 'vitest';
import { Keys } from '../../aws/kms.ts';
import { Secrets } from '../../aws/secrets-manager.ts';
import { EmailService } from '../../aws/ses.ts';
import { Clock } from '../../base/clock.ts';
import { Inbox } from '../../base/inbox.ts';
import { listen, type Loopback } from '../../base/loopback.ts';
import { localCallersOnly } from '../../base/reserved-port.ts';
import { Store } from '../../base/store.ts';
import { fuzz } from '../../../../tests/fixtures/hostile/fuzz.ts';
import { template } from '../fixtures/local-stack.ts';

let server: Loopback | undefined;
afterEach(() => server?.close());

const store = new Store(':memory:');
const stack = template({
  Signing: { Type: 'AWS::KMS::Key', Properties: { KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' } },
  Alias: {
    Type: 'AWS::KMS::Alias',
    Properties: { AliasName: 'alias/signing', TargetKeyId: { 'Fn::GetAtt': ['Signing', 'Arn'] } },
  },
  Secret: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'key', SecretString: 'x' } },
  Sender: { Type: 'AWS::SES::EmailIdentity', Properties: { EmailIdentity: 'selfsame.example' } },
});
const mail = {
  FromEmailAddress: 'no-reply@selfsame.example',
  Destination: { ToAddresses: ['ada@example.com'] },
  Content: { Simple: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Hello' } } } },
};

test.each([
  {
    name: 'KMS',
    service: new Keys({ store }),
    path: '/',
    targets: ['TrentService.Sign', 'TrentService.GetPublicKey'],
    bodies: [
      { KeyId: 'alias/signing' },
      { KeyId: 'alias/signing', Message: 'dGV4dA==', SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256' },
    ],
    good: { KeyId: 'alias/signing' },
    target: 'TrentService.GetPublicKey',
  },
  {
    name: 'Secrets Manager',
    service: new Secrets({ store, known: {} }),
    path: '/',
    targets: ['secretsmanager.GetSecretValue', 'secretsmanager.PutSecretValue'],
    bodies: [{ SecretId: 'key' }],
    good: { SecretId: 'key' },
    target: 'secretsmanager.GetSecretValue',
  },
  {
    name: 'SES',
    service: new EmailService({
      clock: new Clock(),
      store,
      inbox: new Inbox({ clock: new Clock(), store }),
      publish: async () => {},
    }),
    path: '/v2/email/outbound-emails',
    targets: [],
    bodies: [mail],
    good: { ...mail, Destination: {} },
    target: undefined,
  },
])('hostile calls of $name are answered below 500 and change no good answer', async (endpoint) => {
  await endpoint.service.update(stack);
  server = await listen(0, localCallersOnly(endpoint.service.handle));
  const { port } = server;
  const good = async (): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}${endpoint.path}`, {
      method: 'POST',
      headers: endpoint.target === undefined ? {} : { 'x-amz-target': endpoint.target },
      body: JSON.stringify(endpoint.good),
    });
    return `${response.status} ${await response.text()}`;
  };
  const counts = await fuzz(
    {
      name: endpoint.name,
      port,
      good,
      words: {
        host: `127.0.0.1:${port}`,
        paths: [endpoint.path],
        names: [
          'KeyId',
          'Message',
          'MessageType',
          'SecretId',
          'Content',
          'Simple',
          'Destination',
          'EmailTags',
        ],
        values: ['alias/signing', 'RAW', 'DIGEST', 'RSASSA_PSS_SHA_512', 'key', 'ada@example.com'],
        headers: endpoint.targets.length === 0 ? [] : [['x-amz-target', endpoint.targets]],
        bodies: endpoint.bodies,
      },
    },
    { requests: 50, seed: 20_260_101 },
  );
  expect(counts.size).toBeGreaterThan(1);
});
