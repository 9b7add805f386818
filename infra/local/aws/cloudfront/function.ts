import { createRequire } from 'node:module';
import vm from 'node:vm';
import * as z from 'zod/mini';
import { StartFailure } from '../../base/start-failure.ts';

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html */
export interface EdgeRequest {
  method: string;
  uri: string;
  querystring: EdgeValues;
  headers: EdgeValues;
  cookies: EdgeValues;
}
interface EdgeResponse {
  statusCode: number;
  statusDescription?: string | undefined;
  headers: EdgeValues;
  body?: string | { encoding: 'text' | 'base64'; data: string } | undefined;
}
export type EdgeValues = Record<string, { value: string; multiValue?: { value: string }[] | undefined }>;

const Value = z.object({
  value: z.string(),
  multiValue: z.optional(z.array(z.object({ value: z.string() }))),
});
// `z.record` would drop a query parameter or a cookie with the name `__proto__`.
const Values = z.pipe(
  z.pipe(
    z.custom<object>((values) => typeof values === 'object' && values !== null),
    z.transform((values) => new Map<string, unknown>(Object.entries(values))),
  ),
  z.pipe(
    z.map(z.string(), Value),
    z.transform((values): EdgeValues => Object.fromEntries(values)),
  ),
);
const Request = z.object({
  method: z.string(),
  uri: z.string(),
  querystring: Values,
  headers: Values,
  cookies: Values,
});
const Response = z.object({
  statusCode: z.number(),
  statusDescription: z.optional(z.string()),
  headers: z._default(Values, {}),
  body: z.optional(
    z.union([z.string(), z.object({ encoding: z.enum(['text', 'base64']), data: z.string() })]),
  ),
});

// CloudFront's limit on a function's size.
const LARGEST = 10 * 1024;

const require = createRequire(import.meta.url);
// A CloudFront Function declares `handler`, as a function or as a constant.
const CALL = new vm.Script('handler(event)');
// The modules of CloudFront's runtime.
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html
const MODULES = new Set(['crypto', 'querystring', 'buffer']);

/** A CloudFront Function, in a realm with only the globals and modules of CloudFront's runtime. */
export class EdgeFunction {
  readonly #realm: vm.Context;

  constructor(name: string, code: string) {
    if (Buffer.byteLength(code) > LARGEST) {
      throw new StartFailure(
        `The CloudFront function ${name} is larger than the 10 KB that CloudFront accepts.`,
      );
    }
    this.#realm = vm.createContext({
      console: { log: (...parts: unknown[]) => console.log(`${name}:`, ...parts) },
      Buffer,
      atob,
      btoa,
      TextEncoder,
      TextDecoder,
      require: (module: string): unknown => {
        if (!MODULES.has(module)) throw new Error(`CloudFront's runtime has no module ${module}.`);
        return require(`node:${module}`);
      },
    });
    try {
      vm.runInContext(`'use strict';${code}`, this.#realm, { filename: `${name}.js` });
    } catch (error) {
      throw new StartFailure(`The CloudFront function ${name} can't be read: ${String(error)}`);
    }
  }

  /** Runs on a viewer's request. Resolves with the request to continue with, or with the final response. */
  async onRequest(
    request: EdgeRequest,
    viewer: { ip: string },
  ): Promise<{ kind: 'request'; request: EdgeRequest } | { kind: 'response'; response: EdgeResponse }> {
    const result = await this.#run('viewer-request', { viewer, request });
    if (typeof result === 'object' && result !== null && 'statusCode' in result) {
      return { kind: 'response', response: Response.parse(result) };
    }
    return { kind: 'request', request: Request.parse(result) };
  }

  async onResponse(
    request: EdgeRequest,
    response: EdgeResponse,
    viewer: { ip: string },
  ): Promise<EdgeResponse> {
    return Response.parse(await this.#run('viewer-response', { viewer, request, response }));
  }

  async #run(eventType: string, event: object): Promise<unknown> {
    this.#realm['event'] = {
      version: '1.0',
      context: {
        distributionDomainName: 'localhost',
        distributionId: 'LOCAL',
        eventType,
        requestId: 'local',
      },
      ...structuredClone(event),
    };
    // Without a timeout, which would make the call two hundred times slower.
    const result: unknown = await CALL.runInContext(this.#realm);
    // Copied, since objects of the function's realm are not instances of this realm's classes.
    return JSON.parse(JSON.stringify(result ?? null));
  }
}
