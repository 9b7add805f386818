import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import net from 'node:net';
import { StartFailure } from './start-failure.ts';

/** An HTTP server on both addresses of `localhost`, unreachable for other machines. */
export type Loopback = Awaited<ReturnType<typeof listen>>;

/** `port` 0 uses any free port. A port that is in use is a `StartFailure`, which names the port's purpose. */
export async function listen(port: number, handle: RequestListener, purpose = 'the local world') {
  const server: Server = createServer(
    { shouldUpgradeCallback: (request) => server.listenerCount('upgrade') > 0 && isOfHotReload(request) },
    handle,
  );
  // Node's five seconds would close a connection while a function of this machine uses it again.
  server.keepAliveTimeout = 0;
  await bind(server, port, { host: '127.0.0.1', purpose });
  const bound = (server.address() as net.AddressInfo).port;
  // Browsers try ::1 first, where something else may be listening.
  const other = net.createServer((socket) => void server.emit('connection', socket));
  try {
    await bind(other, bound, { host: '::1', purpose });
  } catch (error) {
    // Callers of a port that the machine chose use 127.0.0.1.
    if (port !== 0 && !hasNoSuchAddress(error)) {
      server.close();
      throw error;
    }
  }
  return {
    /** Listen for `upgrade` on this server: only sockets of Vite's hot reload arrive. */
    server,
    port: bound,
    close: async () => {
      const closed = [server, other].filter((each) => each.listening).map((each) => once(each, 'close'));
      other.close();
      server.close();
      server.closeAllConnections();
      await Promise.all(closed);
    },
  };
}

/**
 * Whether a request opens the socket of Vite's hot reload, the only protocol here besides HTTP. Vite doesn't
 * answer others. With `false`, the request is answered as if it hadn't asked for an upgrade.
 */
const isOfHotReload = ({ url = '', headers }: IncomingMessage): boolean =>
  /^vite-(hmr|ping)$/.test(headers['sec-websocket-protocol'] ?? '') && /^\/(\?|$)/.test(url);

/** A port of `host` that was free a moment ago. */
export async function freePort(host: string): Promise<number> {
  const probe = net.createServer();
  await bind(probe, 0, { host });
  const { port } = probe.address() as net.AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function bind(
  server: net.Server,
  port: number,
  { host, purpose = 'the local world' }: { host: string; purpose?: string },
): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const taken = codeOf(error) === 'EADDRINUSE';
    if (!taken && codeOf(error) !== 'EACCES') throw error;
    const problem = taken
      ? 'is in use by another program: end that program'
      : 'may not be used by this account';
    throw new StartFailure(
      `Port ${port} (${purpose}) ${problem}${taken ? ', or' : ':'} choose other ports, for example with SELFSAME_PORT=4000.`,
    );
  }
}

// A machine without IPv6 has no ::1.
const hasNoSuchAddress = (error: unknown) =>
  ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(codeOf(error) ?? '');

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
