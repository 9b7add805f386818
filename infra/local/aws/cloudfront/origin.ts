import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, GatewayRequest } from '../http-api/event.ts';

/** What a distribution fetches from. */
export type Origin =
  | { kind: 'bucket'; get(key: string): FoundObject }
  | { kind: 'api'; answer(request: GatewayRequest): Promise<Answer> };

export type FoundObject = { kind: 'object'; object: StoredObject } | { kind: 'missing'; status: 403 | 404 };

export interface StoredObject {
  body: Buffer;
  contentType: string;
  etag: string;
  lastModified: Date;
  cacheControl: string | undefined;
  /** Written from the stack's values at deployment, like `config.json`; the site's folder doesn't have it. */
  rendered: boolean;
}

/** Vite's development server, which answers in place of the bucket while the site is being worked on. */
export interface DevelopmentSite {
  serve(request: IncomingMessage, response: ServerResponse): void;
  /** Of its socket, as a `ws:` origin. */
  socketOrigin: string;
}
