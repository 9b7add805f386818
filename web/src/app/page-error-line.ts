/** The origin of an error: an error boundary, a repeated render, or code outside of React. */
export type Origin = 'caught' | 'uncaught' | 'recoverable' | 'script' | 'promise';

// A parameter with its value in an address. A query can hold codes, tokens and email addresses.
const PARAMETER = /[?#&][\w.~%+-]+=[^\s"'<>)]*/g;
const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;

const withoutSecrets = (text: string): string => text.replaceAll(JWT, '[token]').replaceAll(PARAMETER, '');

/** The one line that describes an error. `path` is the page's path without its query. */
export function pageErrorLine(
  error: unknown,
  { origin, path, componentStack }: { origin: Origin; path: string; componentStack?: string | undefined },
): string {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return JSON.stringify({
    event: 'page-error',
    origin,
    path,
    message: withoutSecrets(message),
    ...(error instanceof Error && error.stack && { stack: withoutSecrets(error.stack) }),
    ...(componentStack && { componentStack: withoutSecrets(componentStack) }),
  });
}
