import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayAnswer, GatewayRequest } from '../http-api/event.ts';

export type Origin =
  | { kind: 'bucket'; get(key: string): FoundObject }
  | { kind: 'api'; answer(request: GatewayRequest): Promise<GatewayAnswer> };

export type FoundObject = { kind: 'object'; object: StoredObject } | { kind: 'missing'; status: 403 | 404 };

export interface StoredObject {
  body: Buffer;
  contentType: string;
  etag: string;
  lastModified: Date;
  cacheControl: string | undefined;
  /** Whether only a deployment writes the file, like `config.json`: the site's folder doesn't have it. */
  rendered: boolean;
}

/** Vite's development server, which replaces the bucket during development of the site. */
export interface DevelopmentSite {
  serve(request: IncomingMessage, response: ServerResponse): void;
  /** Origin of Vite's socket, with `ws:`. */
  socketOrigin: string;
}
