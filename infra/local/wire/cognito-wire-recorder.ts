import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isAddressedHere } from '../base/local-callers.ts';
import { CognitoWireCheck } from './cognito-wire-check.ts';
import { chunksOf } from './wire-recorder.ts';

const TARGET = 'AWSCognitoIdentityProviderService.';

/**
 * Checks every call that an HTTP server of this process receives and answers as Cognito against AWS's service
 * model, and appends each disagreement once to the file of `SELFSAME_COGNITO_FINDINGS`, as a line. Does
 * nothing without that variable.
 */
export function checkCognitoWire(): void {
  const file = process.env['SELFSAME_COGNITO_FINDINGS'];
  if (!file) return;
  const written = new Set<string>();
  let check: CognitoWireCheck | undefined;
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const target = String(request.headers['x-amz-target'] ?? '');
    if (request.method !== 'POST' || request.url !== '/' || !target.startsWith(TARGET)) return;
    // The local world refuses other names before its Cognito is asked.
    if (!isAddressedHere(request)) return;
    const operation = target.slice(TARGET.length);
    const received = chunksOf(request, ['push']);
    const answered = chunksOf(response, ['write', 'end']);
    response.once('finish', () => {
      if (!request.complete) return;
      check ??= new CognitoWireCheck();
      const findings = check.check({
        operation,
        request: Buffer.concat(received).toString(),
        status: response.statusCode,
        response: Buffer.concat(answered).toString(),
      });
      for (const { in: where, at, expected, actual } of findings) {
        const line = `${operation}, ${where}, ${at}: expected ${expected}, actual ${actual}`;
        if (written.has(line)) continue;
        written.add(line);
        appendFileSync(file, `${line}\n`);
      }
    });
  });
}
