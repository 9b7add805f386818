import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { operations } from '../../aws/cognito/operations/table.ts';
import { readModel } from '../../wire/cognito-model.ts';
import { CognitoWireCheck } from '../../wire/cognito-wire-check.ts';
import { checkCognitoWire } from '../../wire/cognito-wire-recorder.ts';

const wire = new CognitoWireCheck();
const signUp = { ClientId: 'web', Username: 'ada@example.com', Password: 'correct horse 1' };
const signedUp = { UserConfirmed: false, UserSub: '11111111-2222-4333-8444-555555555555' };

const succeeded = (operation: string, request: object, response: object | '') =>
  wire.check({
    operation,
    request: JSON.stringify(request),
    status: 200,
    response: response === '' ? '' : JSON.stringify(response),
  });
const refused = (operation: string, request: object | string, response: object, status = 400) =>
  wire.check({
    operation,
    request: typeof request === 'string' ? request : JSON.stringify(request),
    status,
    response: JSON.stringify(response),
  });

test('the model knows every operation of the stand-in', () => {
  const known = readModel().operations;
  // Renew it with infra/local/wire/renew-cognito-model.ts.
  expect([...operations.keys()].filter((name) => !(name in known))).toEqual([]);
});

describe('a call that succeeded', () => {
  test('is accepted if it fits the model', () => {
    expect(succeeded('SignUp', { ...signUp, UserAttributes: [{ Name: 'name' }] }, signedUp)).toEqual([]);
    expect(succeeded('AdminDeleteUser', { UserPoolId: 'us-east-1_A1', Username: 'ada' }, '')).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['lacks a required member', { Username: undefined }, '$.Username'],
    ['has a member that the model does not have', { UserName: 'ada' }, '$.UserName'],
    ['has a number for a text', { Username: 5 }, '$.Username'],
    ['has a text for a list', { UserAttributes: 'name' }, '$.UserAttributes'],
    ['has a list for an object', { ClientMetadata: [] }, '$.ClientMetadata'],
    ['has an object in a map of texts', { ClientMetadata: { a: {} } }, '$.ClientMetadata.*'],
    ['has too long a text', { UserAttributes: [{ Name: 'x'.repeat(33) }] }, '$.UserAttributes[].Name.length'],
    ['does not match a pattern', { Username: 'a b' }, '$.Username'],
    ['matches a pattern only in its beginning', { ClientId: 'web\n' }, '$.ClientId'],
  ])('is found if its request %s', (_, change, at) => {
    expect(succeeded('SignUp', { ...signUp, ...change }, signedUp)).toMatchObject([{ in: 'request', at }]);
  });

  test('is found if its request has a word that an enum does not have, or is too short or too large', () => {
    const response = { ClientId: 'web', ChallengeName: 'PASSWORD_VERIFIER', Session: 'short' };
    expect(succeeded('RespondToAuthChallenge', response, {})).toMatchObject([{ at: '$.Session.length' }]);
    const request = { ClientId: 'web', AuthFlow: 'MAGIC' };
    expect(succeeded('InitiateAuth', request, {})).toMatchObject([{ at: '$.AuthFlow' }]);
    const list = { UserPoolId: 'us-east-1_A1', Limit: 61 };
    expect(succeeded('ListUsers', list, { Users: [] })).toMatchObject([{ at: '$.Limit' }]);
  });

  test.each<[string, object | '', string]>([
    ['lacks a required member', { UserConfirmed: false }, '$.UserSub'],
    ['has a member that the model does not have', { ...signedUp, Sub: '1' }, '$.Sub'],
    ['has a text for a boolean', { ...signedUp, UserConfirmed: 'no' }, '$.UserConfirmed'],
    ['is empty', '', '$.UserConfirmed'],
  ])('is found if its answer %s', (_, answer, at) => {
    expect(succeeded('SignUp', signUp, answer)).toContainEqual(
      expect.objectContaining({ in: 'response', at }),
    );
  });

  test('is found if an answer without members has a body, or a date in words', () => {
    const user = { UserPoolId: 'us-east-1_A1', Username: 'ada' };
    expect(succeeded('AdminDeleteUser', user, {})).toMatchObject([{ in: 'response', at: '$' }]);
    const answer = { Username: 'ada', UserCreateDate: '2026-11-01T00:00:00Z' };
    expect(succeeded('AdminGetUser', user, answer)).toMatchObject([{ at: '$.UserCreateDate' }]);
  });

  test('is found if the model does not have its operation', () => {
    expect(succeeded('constructor', {}, {})).toMatchObject([{ actual: 'constructor' }]);
  });

  test('may have a password with spaces within, which the service takes', () => {
    const change = { AccessToken: 'a.b', PreviousPassword: 'a b', ProposedPassword: 'c d' };
    expect(succeeded('ChangePassword', change, {})).toEqual([]);
    const leading = succeeded('ChangePassword', { ...change, ProposedPassword: ' d' }, {});
    expect(leading).toMatchObject([{ at: '$.ProposedPassword' }]);
    expect(JSON.stringify(leading)).not.toContain(' d"');
  });
});

describe('a refusal', () => {
  const message = 'No.';

  test('is accepted if the operation declares it', () => {
    expect(refused('SignUp', signUp, { __type: 'UsernameExistsException', message })).toEqual([]);
    expect(refused('SignUp', '{', { __type: 'SerializationException', message })).toEqual([]);
    const large = { __type: 'RequestEntityTooLargeException', message };
    expect(refused('SignUp', 'x', large, 413)).toEqual([]);
    expect(refused('Nothing', {}, { __type: 'UnknownOperationException', message })).toEqual([]);
  });

  test.each<[string, object, number, string]>([
    ['is none of the operation', { __type: 'CodeMismatchException', message }, 400, '$.__type'],
    ['is no error of Cognito', { __type: 'toString', message }, 400, '$.__type'],
    ['has no type', { message }, 400, '$.__type'],
    ['is an error of the service itself', { __type: 'InternalErrorException', message }, 500, '$.__type'],
    ['has another status', { __type: 'NotAuthorizedException', message }, 401, 'status'],
    ['has a member of its own', { __type: 'NotAuthorizedException', Message: message }, 400, '$.Message'],
  ])('is found if it %s', (_, answer, status, at) => {
    expect(refused('SignUp', signUp, answer, status)).toMatchObject([{ in: 'error', at }]);
  });

  test('is found if the service would have refused the body first', () => {
    const answer = { __type: 'UsernameExistsException', message };
    expect(refused('SignUp', { ...signUp, Username: '' }, answer)).toMatchObject([
      { in: 'request', at: '$.Username.length' },
    ]);
    expect(refused('SignUp', { ...signUp, Nickname: 'Ada' }, answer)).toEqual([]);
    const invalid = { __type: 'InvalidParameterException', message };
    expect(refused('SignUp', { ...signUp, Username: '' }, invalid)).toEqual([]);
  });
});

describe('the check of what goes over the wire', () => {
  let server: Server;
  let origin: string;
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'selfsame-cognito-')), 'findings.txt');
  beforeAll(async () => {
    vi.stubEnv('SELFSAME_COGNITO_FINDINGS', file);
    checkCognitoWire();
    server = createServer((incoming, outgoing) => {
      void incoming.toArray().then(() => {
        outgoing.write('{"UserConfirmed":');
        outgoing.end('false,"UserSub":5}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    server.close();
  });

  test('writes each disagreement once, without values', async () => {
    const call = (target: string, body: object) =>
      fetch(origin, {
        method: 'POST',
        headers: { 'x-amz-target': target },
        body: JSON.stringify(body),
      }).then((response) => response.text());
    await call('AWSCognitoIdentityProviderService.SignUp', signUp);
    await call('AWSCognitoIdentityProviderService.SignUp', { ...signUp, Password: ' secret' });
    await call('TrentService.Sign', {});
    await vi.waitFor(() => {
      expect(readFileSync(file, 'utf8').split('\n')).toEqual([
        'SignUp, response, $.UserSub: expected text, actual number',
        String.raw`SignUp, request, $.Password: expected [\S]+[\s\S]*[\S]+, actual a text of 7`,
        '',
      ]);
    });
  });
});
