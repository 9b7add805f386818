import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { freePort, listen } from '../../base/loopback.ts';
import { StartFailure } from '../../base/start-failure.ts';

const ends: (() => unknown)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

test.each(['127.0.0.1', '::1'])('a port taken on %s is refused with what it is for', async (host) => {
  const port = await freePort(host);
  const other = createServer();
  await once(other.listen(port, host), 'listening');
  ends.push(() => other.close());
  const failed = listen(port, () => {}, 'Stripe');
  await expect(failed).rejects.toBeInstanceOf(StartFailure);
  await expect(failed).rejects.toThrow(
    `Port ${port} (Stripe) is in use by another program: end that program, or choose other ports, for example with SELFSAME_PORT=4000.`,
  );
});

test('an idle connection stays open, so that no function meets one that is just being closed', async () => {
  const { port, close } = await listen(0, (_, response) => void response.end());
  ends.push(close);
  // Node announces here the seconds after which it closes the connection.
  expect((await fetch(`http://127.0.0.1:${port}`)).headers.get('keep-alive')).toBe(null);
});
