import { type Origin, pageErrorLine } from './page-error-line.ts';

/** Writes an error to the console; decision 0024 says why errors are sent nowhere. */
function reportPageError(error: unknown, origin: Origin, componentStack?: string): void {
  console.error(pageErrorLine(error, { origin, path: location.pathname, componentStack }));
}

const reporting =
  (origin: Origin) =>
  (error: unknown, { componentStack }: { componentStack?: string | undefined }): void =>
    reportPageError(error, origin, componentStack);

/** Options for React's root. They replace React's own console output. */
export const errorOptions = {
  onCaughtError: reporting('caught'),
  onUncaughtError: reporting('uncaught'),
  onRecoverableError: reporting('recoverable'),
};

/** Reports errors of event handlers, timers and promises, which React doesn't catch. */
export function reportErrorsOutsideReact(): void {
  addEventListener('error', ({ error, message }) => reportPageError(error ?? message, 'script'));
  addEventListener('unhandledrejection', ({ reason }) => reportPageError(reason, 'promise'));
}
