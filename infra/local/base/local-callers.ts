import type { IncomingMessage } from 'node:http';

/**
 * Whether a request was addressed to this machine. A foreign site can make its own name lead here (DNS rebinding); the
 * browser then sends that name.
 */
export function isAddressedHere(request: IncomingMessage): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(request.headers.host ?? '');
}

/** Whether a request comes from a program, or from a page of this very origin, and not from a page of another. */
export function isFromHere(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  return origin === undefined || origin === `http://${host}`;
}
