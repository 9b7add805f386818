import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import net from 'node:net';
import { StartFailure } from './start-failure.ts';

/** An HTTP server on both addresses of `localhost`, out of reach for other machines. */
export interface Loopback {
  /** Listen for `upgrade` here. */
  server: Server;
  port: number;
  close: () => Promise<void>;
}

/** `port` 0 takes any free port. A port that is taken is a `StartFailure`. */
export async function listen(port: number, handle: RequestListener): Promise<Loopback> {
  const server = createServer(handle);
  await bind(server, port, '127.0.0.1');
  const bound = (server.address() as net.AddressInfo).port;
  // Browsers try ::1 first, and something else may be listening there.
  const other = net.createServer((socket) => void server.emit('connection', socket));
  try {
    await bind(other, bound, '::1');
  } catch (error) {
    // Callers of a port that the machine chose use 127.0.0.1.
    if (port !== 0 && !hasNoSuchAddress(error)) {
      server.close();
      throw error;
    }
  }
  return {
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

/** A port of `host` that was free a moment ago. */
export async function freePort(host: string): Promise<number> {
  const probe = net.createServer();
  await bind(probe, 0, host);
  const { port } = probe.address() as net.AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function bind(server: net.Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') {
      throw new StartFailure(
        `Port ${port} is taken by another program: end that one, or choose other ports with PORT=4000.`,
      );
    }
    if (codeOf(error) === 'EACCES') {
      throw new StartFailure(`Port ${port} may not be used by this account: choose another with PORT=4000.`);
    }
    throw error;
  }
}

// A machine without IPv6 has no ::1.
const hasNoSuchAddress = (error: unknown) =>
  ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(codeOf(error) ?? '');

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
