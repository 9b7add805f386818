import { describe, expect, test } from 'vitest';
import { isRegistered, mayBeRegistered } from '../../../schemas/config/relay-address.ts';

describe('what may be registered', () => {
  test.each([
    'https://app.example',
    'https://app.example/',
    'https://app.example/oauth/done',
    'https://app.example:8443/done?tenant=7&from=relay',
    'https://xn--bcher-kva.example/done',
    'http://localhost',
    'http://localhost:4000/done',
    'http://127.0.0.1',
    'http://127.0.0.1:51004/cb?app=1',
    'http://[::1]',
    'http://[::1]:51004/cb',
    'selfsame://auth/callback',
    'com.example.app:/oauth2redirect',
  ])('%s', (address) => {
    expect(mayBeRegistered(address)).toBe(true);
    expect(isRegistered(address, [address])).toBe(true);
  });
});

describe('addresses that may never be registered, and go nowhere even if a list has them', () => {
  test.each([
    ['', 'nothing'],
    ['app.example/done', 'no scheme'],
    ['/oauth/demo', 'a path'],
    ['//app.example/done', 'no scheme of its own'],
    ['https:app.example', 'an authority that parsers correct'],
    ['https:///app.example', 'an authority that parsers correct'],
    ['https://', 'no host'],

    ['javascript:alert(1)', 'a script'],
    ['javascript://app.example/alert(1)', 'a script that looks like an address'],
    ['JavaScript:alert(1)', 'a script in other letters'],
    ['java\tscript:alert(1)', 'a script with a tab inside'],
    [' javascript:alert(1)', 'a script behind a space'],
    ['\u0001javascript:alert(1)', 'a script behind a control character'],
    ['javascript&colon;alert(1)', 'an entity'],
    ['data:text/html,<script>alert(1)</script>', 'a document'],
    ['data://text/html,hello', 'a document that looks like an address'],
    ['vbscript://app.example/x', 'a script that looks like an address'],
    ['file:///etc/passwd', 'a file'],
    ['about://blank', 'an empty page'],
    ['view-source://app.example/', 'a source'],
    ['intent://app.example/#Intent;scheme=https;end', 'an intent'],
    ['mailto:eve@evil.example', 'a mail'],
    ['ftp://app.example/', 'FTP'],
    ['ws://localhost/', 'a socket'],
    ['wss://app.example/', 'a socket'],
    ['app:callback', 'no address'],

    ['http://app.example/done', 'plain http'],
    ['http://192.168.0.7/done', 'plain http in the same house'],
    ['http://0.0.0.0/', 'every interface'],
    ['http://[::ffff:7f00:1]/', 'a mapped loopback'],
    ['http://127.1/', 'a short loopback'],
    ['http://2130706433/', 'a loopback in one number'],
    ['http://0x7f.0.0.1/', 'a loopback in other numbers'],
    ['http://[0:0:0:0:0:0:0:1]/', 'a long loopback'],
    ['http://localhost.evil.example/', 'a host that begins like loopback'],
    ['http://127.0.0.1.evil.example/', 'a host that begins like loopback'],
    ['http://evil-localhost/', 'a host that ends like loopback'],
    ['http://localhost@evil.example/', 'loopback as a user'],
    ['http://localhost:4000@evil.example/', 'loopback as a user with a password'],
    ['http://@localhost/', 'an empty user'],
    ['https://user@app.example/', 'a user'],
    ['https://:word@app.example/', 'a password without a user'],
    ['selfsame://user@auth/callback', 'a user'],
    ['http://localhost./', 'a trailing dot'],
    ['https://app.example./done', 'a trailing dot'],
    ['http://localhost:80/', 'a port that is the scheme’s own'],
    ['https://app.example:443/', 'a port that is the scheme’s own'],
    ['http://localhost:/cb', 'an empty port'],
    ['http://localhost:99999/', 'no port'],

    ['https://app.example/done#', 'an empty fragment'],
    ['https://app.example/done#token', 'a fragment'],
    ['https://app.example\\@evil.example/', 'a backslash'],
    ['https:\\\\app.example\\done', 'backslashes'],
    ['https://app.example/%5c..', 'an encoded backslash'],
    ['https://app.example/%0d%0aSet-Cookie:x=1', 'an encoded newline'],
    ['https://app.example/%0A', 'an encoded newline in other letters'],
    ['https://app.example/?x=%00', 'an encoded nothing'],
    ['https://app.example/do\nne', 'a newline'],
    ['https://app.example/done\n', 'a newline at the end'],
    ['https://app.example/done ', 'a space at the end'],
    ['https://app.example/do ne', 'a space'],
    ['https://app.example/a/../done', 'dots that a browser resolves'],
    ['https://app.example/a/%2e%2e/done', 'encoded dots that a browser resolves'],
    ['https://APP.example/done', 'capitals in the host'],
    ['HTTPS://app.example/done', 'capitals in the scheme'],
    ['https://app\u3002example/done', 'an ideographic dot'],
    ['https://\u0430pp.example/done', 'a Cyrillic a'],
    ['https://app.example/\u202edone', 'text that turns round'],
    ['https://app.example%2eevil.example/', 'an encoded dot in the host'],
    ['https://app.example/"done"', 'quotation marks'],
    ['https://app.example?tenant=7', 'a query without a path'],

    ['https://app.example/done?access_token=theirs', 'a token of its own'],
    ['https://app.example/done?code=theirs', 'a code of its own'],
    ['https://app.example/done?state=theirs', 'a state of its own'],
    ['http://localhost:4000/?error=theirs', 'an error of its own'],
  ])('%j: %s', (address) => {
    expect(mayBeRegistered(address)).toBe(false);
    expect(isRegistered(address, [address, 'http://localhost', 'https://app.example'])).toBe(false);
  });
});

describe('an address that is registered', () => {
  const registered = [
    'https://app.example/done',
    'https://shop.example/in?tenant=7',
    'com.example.app:/done',
  ];

  test.each([
    'https://app.example/',
    'https://app.example/done/',
    'https://app.example/Done',
    'https://app.example/done/../done',
    'https://app.example/done?tenant=7',
    'https://app.example/done?',
    'https://app.example:8443/done',
    'https://app.example.evil.example/done',
    'https://evil.example/https://app.example/done',
    'https://www.app.example/done',
    'http://app.example/done',
    'https://shop.example/in?tenant=8',
    'https://shop.example/in',
    'com.example.app:/other',
  ])('is not known by another: %s', (address) => {
    expect(isRegistered(address, registered)).toBe(false);
  });

  test('is known to nobody where nothing is registered', () => {
    expect(isRegistered('https://app.example/done', [])).toBe(false);
    expect(isRegistered('http://localhost/', [])).toBe(false);
  });
});

describe('an entry on the machine itself', () => {
  test.each([
    ['http://localhost/done', 'http://localhost:51004/done'],
    ['http://localhost', 'http://localhost/'],
    ['http://localhost', 'http://localhost:51004'],
    ['http://localhost:3000/oauth/demo', 'http://localhost:4000/oauth/demo'],
    ['http://127.0.0.1/done?app=1', 'http://127.0.0.1:51004/done?app=1'],
    ['http://[::1]/done', 'http://[::1]:51004/done'],
  ])('%s stands for %s', (entry, address) => {
    expect(isRegistered(address, [entry])).toBe(true);
  });

  test.each([
    ['http://localhost/done', 'http://localhost:51004/other'],
    ['http://localhost/done', 'http://localhost:51004/done?next=https://evil.example/'],
    ['http://localhost', 'http://localhost:51004/login?next=https://evil.example/'],
    ['http://localhost', 'http://127.0.0.1:51004/'],
    ['http://127.0.0.1', 'http://localhost:51004/'],
    ['http://127.0.0.1', 'http://[::1]:51004/'],
    ['http://localhost', 'https://localhost:51004/'],
    ['https://localhost', 'https://localhost:51004/'],
    ['http://localhost', 'http://localhost.evil.example/'],
    ['http://localhost', 'http://localhost@evil.example/'],
    ['http://localhost', 'http://localhost:51004/done#'],
  ])('%s does not stand for %s', (entry, address) => {
    expect(isRegistered(address, [entry])).toBe(false);
  });

  test('does not open plain http to others that stand on the list by mistake', () => {
    expect(isRegistered('http://app.example/done', ['http://app.example', 'http://localhost'])).toBe(false);
  });
});
