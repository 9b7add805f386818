import { json } from 'node:stream/consumers';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { cognitoUserPool } from '../../../functions/adapters/cognito/user-pool.ts';
import { serve } from '../../fixtures/worlds/http-server.ts';

type Answer = { status?: number; body?: object };
interface ReceivedRequest {
  operation: string;
  body: Record<string, unknown>;
}

/** A fake Cognito over HTTP. Each test sets its answers. */
let requests: ReceivedRequest[];
let answers: Record<string, (body: Record<string, unknown>) => Answer>;

beforeAll(async () => {
  const server = await serve((request, response) => {
    void json(request).then((read) => {
      const body = read as Record<string, unknown>;
      const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
      requests.push({ operation, body });
      const answer = answers[operation]?.(body) ?? { body: {} };
      response
        .writeHead(answer.status ?? 200, { 'content-type': 'application/x-amz-json-1.1' })
        .end(answer.body === undefined ? '' : JSON.stringify(answer.body));
    });
  });
  vi.stubEnv('AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER', server.origin);
  return async () => {
    vi.unstubAllEnvs();
    await server.close();
  };
});
beforeEach(() => {
  requests = [];
  answers = {
    AdminGetUser: () => refusal('UserNotFoundException'),
    ListUsers: () => ({ body: { Users: [] } }),
    // AWS's model has no answer for it.
    AdminDeleteUser: () => ({}),
  };
});

const refusal = (type: string): Answer => ({ status: 400, body: { __type: type, message: 'No.' } });
const attributes = (values: Record<string, string>) =>
  Object.entries(values).map(([Name, Value]) => ({ Name, Value }));
const identities = (...linked: { providerName: string; userId: string }[]) =>
  JSON.stringify(
    linked.map((identity) => ({ ...identity, providerType: identity.providerName, primary: false })),
  );

const users = cognitoUserPool('us-east-1_Pool');
const filters = () =>
  requests.filter(({ operation }) => operation === 'ListUsers').map(({ body }) => body['Filter']);
const account = {
  sub: 'native',
  username: 'native',
  status: 'CONFIRMED',
  enabled: true,
  email: 'ada@example.com',
  emailVerified: true,
  createdAt: new Date('2026-01-01T00:00:00Z'),
  identities: [],
};

test('an account with a password is found by its address, with its linked identities, and has an address once it is proved', async () => {
  let proved = 'true';
  answers['AdminGetUser'] = ({ Username }) => ({
    body: {
      Username: 'native',
      UserStatus: 'CONFIRMED',
      UserCreateDate: Date.parse('2026-01-01T00:00:00Z') / 1000,
      UserAttributes: attributes({
        email: String(Username),
        email_verified: proved,
        identities: identities(
          { providerName: 'GitHub', userId: '4711' },
          { providerName: 'SAML', userId: 'somebody' },
        ),
      }),
    },
  });
  expect(await users.find('ada@example.com')).toEqual({
    ...account,
    identities: [{ provider: 'github', id: '4711' }],
  });
  expect(await users.has('native')).toBe(true);
  expect(requests.map(({ operation }) => operation)).toEqual(['AdminGetUser', 'AdminGetUser']);
  expect(await users.addressOf('ada')).toBe('ada');
  proved = 'false';
  expect(await users.addressOf('ada')).toBeUndefined();
  answers['AdminGetUser'] = () => refusal('UserNotFoundException');
  expect(await users.find('ada@example.com')).toBeUndefined();
});

test('an account is deleted, and it is no error if it is gone', async () => {
  await users.remove('native');
  answers['AdminDeleteUser'] = () => refusal('UserNotFoundException');
  await users.remove('native');
  answers['AdminDeleteUser'] = () => refusal('InvalidParameterException');
  await expect(users.remove('native')).rejects.toThrow('No.');
  expect(requests[0]).toEqual({
    operation: 'AdminDeleteUser',
    body: { UserPoolId: 'us-east-1_Pool', Username: 'native' },
  });
});

test('unconfirmed accounts are listed page by page, with the filter that Cognito documents', async () => {
  const created = Date.parse('2026-01-01T00:00:00Z') / 1000;
  answers['ListUsers'] = ({ PaginationToken }) => ({
    body: {
      Users: [
        {
          Username: PaginationToken ? 'second' : 'first',
          UserStatus: 'UNCONFIRMED',
          UserCreateDate: created,
          Attributes: attributes({ email: 'ada@example.com', email_verified: 'false' }),
        },
      ],
      ...(!PaginationToken && { PaginationToken: 'more' }),
    },
  });
  const pages = [];
  for await (const page of users.unconfirmed()) pages.push(page);
  const unconfirmed = { ...account, status: 'UNCONFIRMED', emailVerified: false };
  expect(pages).toEqual(['first', 'second'].map((username) => [{ ...unconfirmed, sub: username, username }]));
  expect(new Set(filters())).toEqual(new Set(['cognito:user_status = "UNCONFIRMED"']));
});

test('an account with a password is found by its sub, which is its user name, without a list', async () => {
  answers['AdminGetUser'] = ({ Username }) => ({
    body: { Username, UserAttributes: attributes({ email: 'ada@example.com', email_verified: 'true' }) },
  });
  expect(await users.findBySub('some-uuid')).toMatchObject({
    username: 'some-uuid',
    email: 'ada@example.com',
    emailVerified: true,
  });
  expect(requests.map(({ operation }) => operation)).toEqual(['AdminGetUser']);
});

test("a provider's account is found by its sub in the list, on any page", async () => {
  answers['ListUsers'] = ({ PaginationToken }) => ({
    body: PaginationToken
      ? { Users: [{ Username: 'google_99', Attributes: attributes({ email: 'ada@example.com' }) }] }
      : { Users: [], PaginationToken: 'more' },
  });
  expect(await users.findBySub('some-uuid')).toMatchObject({ username: 'google_99' });
  expect(await users.has('some-uuid')).toBe(true);
  expect(new Set(filters())).toEqual(new Set(['sub = "some-uuid"']));
  answers['ListUsers'] = () => ({ body: { Users: [] } });
  expect(await users.has('some-uuid')).toBe(false);
});

test('a failed request to Cognito is an error, not a missing account', async () => {
  answers['ListUsers'] = () => refusal('ResourceNotFoundException');
  await expect(users.findBySub('some-uuid')).rejects.toThrow('No.');
  answers['AdminGetUser'] = () => refusal('ResourceNotFoundException');
  await expect(users.find('ada@example.com')).rejects.toThrow('No.');
  answers['AdminDeleteUser'] = () => refusal('NotAuthorizedException');
  await expect(users.remove('google_99')).rejects.toThrow('No.');
});

test('a text that is no user name is not looked up by name, and is escaped in the filter', async () => {
  expect(await users.has(String.raw`x\" or email ^= "@example.com`)).toBe(false);
  expect(filters()).toEqual([String.raw`sub = "x\\\" or email ^= \"@example.com"`]);
  expect(requests.map(({ operation }) => operation)).toEqual(['ListUsers']);
});

test('an account with a password is linked by its user name, and one of a provider by the provider and its id', async () => {
  expect(await users.link({ provider: 'github', id: '4711' }, account)).toBe(true);
  expect(requests).toEqual([
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
  await users.link({ provider: 'github', id: '4711' }, { ...account, username: 'google_99' });
  expect(requests[1]?.body['DestinationUser']).toEqual({
    ProviderName: 'Google',
    ProviderAttributeValue: '99',
  });
});

test('an identity that is already linked is not linked again', async () => {
  const linked = { ...account, identities: [{ provider: 'github' as const, id: '4711' }] };
  expect(await users.link({ provider: 'github', id: '4711' }, linked)).toBe(false);
  expect(requests).toEqual([]);
});

test('a link that a concurrent call has made is no error, and another refusal is', async () => {
  answers['AdminLinkProviderForUser'] = () => refusal('InvalidParameterException');
  answers['AdminGetUser'] = () => ({
    body: {
      Username: 'native',
      UserAttributes: attributes({ identities: identities({ providerName: 'GitHub', userId: '4711' }) }),
    },
  });
  expect(await users.link({ provider: 'github', id: '4711' }, account)).toBe(false);
  expect(requests.map(({ operation }) => operation)).toEqual(['AdminLinkProviderForUser', 'AdminGetUser']);
  answers['AdminGetUser'] = () => ({ body: { Username: 'native', UserAttributes: [] } });
  await expect(users.link({ provider: 'github', id: '4711' }, account)).rejects.toThrow('No.');
});
