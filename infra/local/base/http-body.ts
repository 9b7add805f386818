import type { IncomingMessage } from 'node:http';

/** Whether the caller closed the connection before its request was read, so nobody waits for an answer. */
export const isBrokenOff = ({ errored }: IncomingMessage): boolean => errored !== null;

/**
 * Reads a body. Undefined if it has more than `limit` bytes; the caller then answers 413 in its own protocol.
 * Reads to the end even then: a client that is still writing would miss the answer.
 */
export async function readBody(request: AsyncIterable<Buffer>, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.byteLength;
    if (size <= limit) chunks.push(chunk);
  }
  return size <= limit ? Buffer.concat(chunks) : undefined;
}
