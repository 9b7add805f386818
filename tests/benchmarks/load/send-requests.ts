import { Agent, request as send } from 'node:http';

/** A request of a benchmark. Its answer's body is read and dropped. */
export interface LoadRequest {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body?: string;
}

export interface Load {
  requestsPerSecond: number;
  /** Milliseconds of each answered request, ascending. */
  latencies: number[];
  /** How many were answered with each status. */
  statuses: Map<number, number>;
}

/**
 * Keeps `connections` connections busy, each with one request after the other, until `enough` is true of the
 * milliseconds gone by and the number of requests begun.
 */
export async function sendRequests(
  connections: number,
  next: () => LoadRequest,
  enough: (milliseconds: number, begun: number) => boolean,
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  const statuses = new Map<number, number>();
  let begun = 0;
  const began = performance.now();
  const connection = async () => {
    while (!enough(performance.now() - began, begun)) {
      begun += 1;
      const from = performance.now();
      const status = await answerTo(next(), agent);
      latencies.push(performance.now() - from);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const seconds = (performance.now() - began) / 1000;
  agent.destroy();
  return {
    requestsPerSecond: latencies.length / seconds,
    latencies: latencies.toSorted((a, b) => a - b),
    statuses,
  };
}

function answerTo({ method, url, headers, body }: LoadRequest, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    send(url, { method, headers, agent }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    })
      .once('error', reject)
      .end(body);
  });
}
