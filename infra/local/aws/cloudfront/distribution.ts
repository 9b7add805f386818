import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ResourceType, stableId, type Unnamed } from '../../stack/resource-type.ts';
import type { Stack } from '../../stack/template.ts';
import type { AwsService, ServiceContext } from '../service.ts';
import { type Behavior, behaviorFor, type Distribution, distributionOf } from './behavior.ts';
import { forDevelopment, overHttp } from './content-security-policy.ts';
import { edgeHeaders, edgeRequestOf, plainHeaders } from './edge-request.ts';
import type { EdgeRequest } from './function.ts';
import type { Origin } from './origin.ts';
import { originRequestOf } from './origin-request.ts';
import { addHeaders, compressed, isUnchanged, type Response } from './response.ts';

const idOf = (resource: Unnamed) => stableId(resource, 13).toUpperCase();
const domainOf = (distribution: Unnamed) => `d${stableId(distribution, 13)}.cloudfront.net`;
const functionArn = (fn: Unnamed) => `arn:aws:cloudfront::function/${fn.stackName}-${fn.id}`;

const types: Record<string, ResourceType> = {
  'AWS::CloudFront::Distribution': {
    ref: idOf,
    attributes: { Id: idOf, DomainName: domainOf },
  },
  'AWS::CloudFront::Function': { ref: functionArn, attributes: { FunctionARN: functionArn } },
  'AWS::CloudFront::ResponseHeadersPolicy': { ref: idOf, attributes: { Id: idOf } },
  'AWS::CloudFront::OriginAccessControl': {
    ref: idOf,
    attributes: { Id: idOf },
    notEmulated: 'The bucket is a folder that only this world reads.',
  },
};

export const cloudFront = {
  types,
  start: (context: ServiceContext) => new Distributions(context),
} satisfies AwsService;

type DistributionsOptions = Pick<ServiceContext, 'originAt' | 'pageScript' | 'developmentSite'>;

/** The stack's distribution, which serves the site and its API. It caches nothing. */
export class Distributions {
  readonly #options: DistributionsOptions;
  #distribution: Distribution | undefined;

  constructor(options: DistributionsOptions) {
    this.#options = options;
  }

  update(stack: Stack): Promise<void> {
    this.#distribution = distributionOf(stack, this.#options.originAt);
    return Promise.resolve();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const distribution = this.#distribution;
    if (!distribution) throw new Error('A distribution is viewerRequest before it has been set up.');
    const [path, query] = pathAndQuery(request.url ?? '/');
    const behavior = behaviorFor(distribution, path);
    if (!behavior.methods.has(request.method ?? 'GET')) {
      return this.#send(behavior, request, response, refusal('This distribution does not take that method.'));
    }
    const viewer = { ip: request.socket.remoteAddress ?? '127.0.0.1' };
    let viewerRequest = edgeRequestOf(request, path, query);
    if (behavior.onRequest) {
      const outcome = await behavior.onRequest.onRequest(viewerRequest, viewer);
      if (outcome.kind === 'response') {
        const { statusCode, headers, body } = outcome.response;
        return this.#send(behavior, request, response, {
          status: statusCode,
          headers: plainHeaders(headers),
          body:
            typeof body === 'object'
              ? Buffer.from(body.data, body.encoding === 'base64' ? 'base64' : 'utf8')
              : Buffer.from(body ?? ''),
        });
      }
      viewerRequest = outcome.request;
    }
    if (viewerRequest.uri === '/') viewerRequest = { ...viewerRequest, uri: `/${distribution.rootObject}` };
    if (this.#isForDevelopment(behavior, viewerRequest.uri))
      return this.#develop(behavior, request, response);
    const answer = await this.#fetch(behavior, viewerRequest, request);
    addHeaders(behavior.responseHeaders, answer.headers);
    if (behavior.onResponse && answer.status < 400) {
      const changed = await behavior.onResponse.onResponse(
        viewerRequest,
        { statusCode: answer.status, headers: edgeHeaders(answer.headers) },
        viewer,
      );
      answer.status = changed.statusCode;
      answer.headers = plainHeaders(changed.headers);
    }
    return this.#write(behavior, request, response, answer);
  }

  /** Vite serves every page and asset except for the files that only a deployment writes. */
  #isForDevelopment({ origin }: Behavior, uri: string): boolean {
    if (!this.#options.developmentSite || origin.source.kind !== 'bucket') return false;
    const found = origin.source.get(keyOf(origin.path, uri));
    return found.kind === 'missing' || !found.object.rendered;
  }

  #develop(behavior: Behavior, request: IncomingMessage, response: ServerResponse): void {
    const { developmentSite } = this.#options;
    const headers: Response['headers'] = {};
    addHeaders(behavior.responseHeaders, headers);
    for (const [name, value] of Object.entries(this.#local(headers))) response.setHeader(name, value);
    developmentSite?.serve(request, response);
  }

  async #fetch(behavior: Behavior, viewerRequest: EdgeRequest, request: IncomingMessage): Promise<Response> {
    const { source, path } = behavior.origin;
    if (source.kind === 'bucket') return objectIn(source, keyOf(path, viewerRequest.uri));
    const answer = await source.answer(originRequestOf(behavior, viewerRequest, request));
    return { ...answer, headers: { ...answer.headers } };
  }

  #send(behavior: Behavior, request: IncomingMessage, response: ServerResponse, answer: Response): void {
    addHeaders(behavior.responseHeaders, answer.headers);
    this.#write(behavior, request, response, answer);
  }

  #write(behavior: Behavior, request: IncomingMessage, response: ServerResponse, answer: Response): void {
    const { status } = answer;
    const headers = this.#local(answer.headers);
    let { body } = answer;
    if (String(headers['content-type']).startsWith('text/html')) {
      body = Buffer.from(
        body.toString('utf8').replace(/<head(\s[^>]*)?>/i, (head) => `${head}${this.#options.pageScript}`),
      );
      headers['etag'] = `"${createHash('md5').update(body).digest('hex')}"`;
    }
    if (status === 200 && isUnchanged(request, headers)) {
      delete headers['content-type'];
      response.writeHead(304, headers).end();
      return;
    }
    body = compressed(behavior, request, headers, body);
    const hasBody = status !== 204 && status !== 304;
    if (hasBody) headers['content-length'] = String(body.byteLength);
    response.writeHead(status, headers).end(request.method === 'HEAD' || !hasBody ? undefined : body);
  }

  /** The headers, adapted to plain HTTP on this machine. */
  #local(headers: Response['headers']): Response['headers'] {
    const policy = headers['content-security-policy'];
    if (typeof policy !== 'string') return headers;
    const { developmentSite } = this.#options;
    const plain = overHttp(policy);
    return {
      ...headers,
      'content-security-policy': developmentSite
        ? forDevelopment(plain, developmentSite.socketOrigin)
        : plain,
    };
  }
}

function objectIn(bucket: Origin & { kind: 'bucket' }, key: string): Response {
  const found = bucket.get(key);
  if (found.kind === 'missing') {
    return {
      status: found.status,
      headers: { 'content-type': 'application/xml' },
      body: Buffer.from(
        `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${found.status === 404 ? 'NoSuchKey' : 'AccessDenied'}</Code></Error>`,
      ),
    };
  }
  const { body, contentType, etag, lastModified, cacheControl } = found.object;
  return {
    status: 200,
    headers: {
      'content-type': contentType,
      etag,
      'last-modified': lastModified.toUTCString(),
      ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
    },
    body,
  };
}

function pathAndQuery(url: string): [string, string] {
  // A proxy's request line carries the whole address.
  const relative = url.replace(/^https?:\/\/[^/]*/, '');
  const at = relative.indexOf('?');
  const path = at < 0 ? relative : relative.slice(0, at);
  return [path.startsWith('/') ? path : `/${path}`, at < 0 ? '' : relative.slice(at + 1)];
}

/** The key of an object. The key is looked up in a list and never used as a path on this machine. */
function keyOf(originPath: string, uri: string): string {
  const path = `${originPath}${uri}`.slice(1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function refusal(text: string): Response {
  return { status: 403, headers: { 'content-type': 'text/plain' }, body: Buffer.from(text) };
}
