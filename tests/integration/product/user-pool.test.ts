import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { cognitoUserPool } from '../../../functions/adapters/cognito/user-pool.ts';

type Answer = { status?: number; body: object };
interface Asked {
  operation: string;
  body: Record<string, unknown>;
}

/** Cognito over HTTP, which says what each test lets it say. */
let server: Server;
let asked: Asked[];
let answers: Record<string, (body: Record<string, unknown>) => Answer>;

beforeAll(async () => {
  server = createServer((request, response) => {
    void json(request).then((read) => {
      const body = read as Record<string, unknown>;
      const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
      asked.push({ operation, body });
      const answer = answers[operation]?.(body) ?? { body: {} };
      response
        .writeHead(answer.status ?? 200, { 'content-type': 'application/x-amz-json-1.1' })
        .end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  vi.stubEnv('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER', `http://127.0.0.1:${port}`);
});
afterAll(
  () =>
    new Promise<void>((resolve) => {
      vi.unstubAllEnvs();
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);
beforeEach(() => {
  asked = [];
  answers = {
    AdminGetUser: () => refusal('UserNotFoundException'),
    ListUsers: () => ({ body: { Users: [] } }),
  };
});

const refusal = (type: string): Answer => ({ status: 400, body: { __type: type, message: 'No.' } });
const attributes = (values: Record<string, string>) =>
  Object.entries(values).map(([Name, Value]) => ({ Name, Value }));
const identities = (...linked: { providerName: string; userId: string }[]) =>
  JSON.stringify(linked.map((one) => ({ ...one, providerType: one.providerName, primary: false })));

const users = cognitoUserPool('us-east-1_Pool');
const filters = () =>
  asked.filter(({ operation }) => operation === 'ListUsers').map(({ body }) => body['Filter']);
const account = {
  username: 'native',
  status: 'CONFIRMED',
  email: 'ada@example.com',
  emailVerified: true,
  createdAt: new Date('2026-01-01T00:00:00Z'),
  identities: [],
};

test('an account with a password is found by its address, with what is linked to it', async () => {
  answers['AdminGetUser'] = ({ Username }) => ({
    body: {
      Username: 'native',
      UserStatus: 'CONFIRMED',
      UserCreateDate: Date.parse('2026-01-01T00:00:00Z') / 1000,
      UserAttributes: attributes({
        email: String(Username),
        email_verified: 'true',
        identities: identities(
          { providerName: 'GitHub', userId: '4711' },
          { providerName: 'SAML', userId: 'somebody' },
        ),
      }),
    },
  });
  expect(await users.findByEmail('ada@example.com')).toEqual([
    { ...account, identities: [{ provider: 'GitHub', id: '4711' }] },
  ]);
});

test("a provider's account is found too, on whichever page it stands, and once", async () => {
  answers['ListUsers'] = ({ PaginationToken }) => ({
    body: PaginationToken
      ? { Users: [{ Username: 'google_99', UserStatus: 'EXTERNAL_PROVIDER', Attributes: [] }] }
      : { Users: [], PaginationToken: 'more' },
  });
  expect((await users.findByEmail('Ada@Example.com')).map(({ username }) => username)).toEqual(['google_99']);
  expect(new Set(filters())).toEqual(new Set(['email = "Ada@Example.com"', 'email = "ada@example.com"']));
});

test('somebody is looked for by their sub, whatever their name is, on every page', async () => {
  answers['ListUsers'] = ({ PaginationToken }) => ({
    body: PaginationToken
      ? { Users: [{ Username: 'google_99', UserStatus: 'EXTERNAL_PROVIDER', Attributes: [] }] }
      : { Users: [], PaginationToken: 'more' },
  });
  expect(await users.has('some-uuid')).toBe(true);
  expect(new Set(filters())).toEqual(new Set(['sub = "some-uuid"']));
  answers['ListUsers'] = () => ({ body: { Users: [] } });
  expect(await users.has('some-uuid')).toBe(false);
});

test('a pool that can’t be asked says of nobody that they are gone', async () => {
  answers['ListUsers'] = () => refusal('ResourceNotFoundException');
  await expect(users.has('some-uuid')).rejects.toThrow('No.');
});

test('an address cannot say what is looked for', async () => {
  await users.findByEmail(String.raw`x\" or email ^= "@example.com`);
  expect(filters()).toEqual([String.raw`email = "x\\\" or email ^= \"@example.com"`]);
});

test('an account with a password is linked by its user name', async () => {
  expect(await users.link({ provider: 'GitHub', id: '4711' }, account)).toBe(true);
  expect(asked).toEqual([
    {
      operation: 'AdminLinkProviderForUser',
      body: {
        UserPoolId: 'us-east-1_Pool',
        DestinationUser: { ProviderName: 'Cognito', ProviderAttributeValue: 'native' },
        SourceUser: {
          ProviderName: 'GitHub',
          ProviderAttributeName: 'Cognito_Subject',
          ProviderAttributeValue: '4711',
        },
      },
    },
  ]);
});

test("a provider's account is linked by the provider's name and id", async () => {
  await users.link({ provider: 'GitHub', id: '4711' }, { ...account, username: 'google_99' });
  expect(asked[0]?.body['DestinationUser']).toEqual({
    ProviderName: 'Google',
    ProviderAttributeValue: '99',
  });
});

test('what is linked already is left alone', async () => {
  const linked = { ...account, identities: [{ provider: 'GitHub' as const, id: '4711' }] };
  expect(await users.link({ provider: 'GitHub', id: '4711' }, linked)).toBe(false);
  expect(asked).toEqual([]);
});

test('a link that another call has made meanwhile counts as made', async () => {
  answers['AdminLinkProviderForUser'] = () => refusal('InvalidParameterException');
  answers['AdminGetUser'] = () => ({
    body: {
      Username: 'native',
      UserAttributes: attributes({ identities: identities({ providerName: 'GitHub', userId: '4711' }) }),
    },
  });
  expect(await users.link({ provider: 'GitHub', id: '4711' }, account)).toBe(false);
  expect(asked.map(({ operation }) => operation)).toEqual(['AdminLinkProviderForUser', 'AdminGetUser']);
});

test('a link that Cognito refuses for another reason is a failure', async () => {
  answers['AdminLinkProviderForUser'] = () => refusal('InvalidParameterException');
  answers['AdminGetUser'] = () => ({ body: { Username: 'native', UserAttributes: [] } });
  await expect(users.link({ provider: 'GitHub', id: '4711' }, account)).rejects.toThrow('No.');
});
