import type { RequestListener } from 'node:http';
import { isAddressedHere } from './local-callers.ts';
import { listen } from './loopback.ts';

/** A port that is bound early. It answers 503 until `handler` is set. */
export type ReservedPort = Awaited<ReturnType<typeof reservePort>>;

/** Binds a port. `purpose` is for the failure. `callers` 'local' refuses Host headers of other machines. */
export async function reservePort(
  port: number,
  { callers, purpose }: { callers: 'any' | 'local'; purpose: string },
) {
  const reserved = { handler: starting };
  const handle: RequestListener = (request, response) => reserved.handler(request, response);
  const { server, close } = await listen(
    port,
    callers === 'local' ? localCallersOnly(handle) : handle,
    purpose,
  );
  return Object.assign(reserved, { server, close });
}

/** The handler, without requests under a foreign host name. */
export const localCallersOnly =
  (handle: RequestListener): RequestListener =>
  (request, response) => {
    if (isAddressedHere(request)) handle(request, response);
    else response.writeHead(403).end();
  };

const starting: RequestListener = (_, response) => {
  response.writeHead(503, { 'content-type': 'text/plain', refresh: '1', 'retry-after': '1' });
  response.end('The local world is starting.');
};
