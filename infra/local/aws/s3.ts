import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { propertiesOf } from '../stack/resource-properties.ts';
import { generatedName, REGION, type ResourceType, type Unnamed } from '../stack/resource-type.ts';
import { StartFailure } from '../base/start-failure.ts';
import type { Resource, Stack } from '../stack/template.ts';
import type { FoundObject, Origin, StoredObject } from './cloudfront/origin.ts';
import type { AwsService } from './service.ts';

const nameOf = (bucket: Unnamed) => bucket.text('BucketName') ?? generatedName(bucket).toLowerCase();

const types: Record<string, ResourceType> = {
  'AWS::S3::Bucket': {
    ref: nameOf,
    attributes: {
      Arn: (bucket) => `arn:aws:s3:::${nameOf(bucket)}`,
      DomainName: (bucket) => `${nameOf(bucket)}.s3.amazonaws.com`,
      RegionalDomainName: (bucket) => regionalDomain(nameOf(bucket)),
    },
  },
  'AWS::S3::BucketPolicy': { ref: generatedName },
  'Custom::CDKBucketDeployment': { ref: generatedName },
  'Custom::S3AutoDeleteObjects': {
    ref: generatedName,
    notEmulated: 'It empties the bucket when the stack is deleted. A local stack is a folder.',
  },
};

export const s3 = {
  types,
  start: () => new Buckets(),
} satisfies AwsService;

const regionalDomain = (name: string) => `${name}.s3.${REGION}.amazonaws.com`;

const DeploymentProperties = z.object({
  DestinationBucketName: z.string(),
  DestinationBucketKeyPrefix: z._default(z.string(), ''),
  SourceObjectKeys: z.array(z.string()),
  SourceMarkers: z._default(z.array(z.record(z.string(), z.string())), []),
  SourceMarkersConfig: z._default(z.array(z.strictObject({ jsonEscape: z.optional(z.boolean()) })), []),
  Include: z._default(z.array(z.string()), []),
  Exclude: z._default(z.array(z.string()), []),
  SystemMetadata: z._default(z.record(z.string(), z.string()), {}),
  Extract: z._default(z.literal(true), true),
});
const PolicyProperties = z.object({
  Bucket: z.string(),
  PolicyDocument: z.object({
    Statement: z.array(z.object({ Effect: z.string(), Action: z.union([z.string(), z.array(z.string())]) })),
  }),
});

/** An object that is read on first use. Deployed files don't change. */
type Entry = () => StoredObject;

interface Bucket {
  entries: Map<string, Entry>;
  /** S3's status for a missing object: 404 if the reader may list the bucket, 403 otherwise. */
  missing: 403 | 404;
}

/** The stack's buckets, filled by its deployments. */
export class Buckets {
  #buckets = new Map<string, Bucket>();

  update(stack: Stack): Promise<void> {
    const listable = new Set(
      stack
        .of('AWS::S3::BucketPolicy')
        .map((resource) => propertiesOf(PolicyProperties, resource))
        .filter(({ PolicyDocument }) =>
          PolicyDocument.Statement.some(
            ({ Effect, Action }) => Effect === 'Allow' && [Action].flat().includes('s3:ListBucket'),
          ),
        )
        .map(({ Bucket }) => Bucket),
    );
    this.#buckets = new Map(
      stack
        .of('AWS::S3::Bucket')
        .map(({ ref }) => [ref, { entries: new Map(), missing: listable.has(ref) ? 404 : 403 }]),
    );
    for (const deployment of stack.of('Custom::CDKBucketDeployment')) this.#deploy(stack, deployment);
    return Promise.resolve();
  }

  originAt(domainName: string): Origin | undefined {
    const found = [...this.#buckets].find(([name]) =>
      [regionalDomain(name), `${name}.s3.amazonaws.com`].includes(domainName),
    );
    if (!found) return undefined;
    const [, { entries, missing }] = found;
    const get = (key: string): FoundObject => {
      const entry = entries.get(key);
      return entry ? { kind: 'object', object: entry() } : { kind: 'missing', status: missing };
    };
    return { kind: 'bucket', get };
  }

  #deploy(stack: Stack, resource: Resource): void {
    const deployment = propertiesOf(DeploymentProperties, resource);
    const bucket = this.#buckets.get(deployment.DestinationBucketName);
    if (!bucket) throw new StartFailure(`${resource.id} deploys to a bucket that the template doesn't have.`);
    const { DestinationBucketKeyPrefix: given } = deployment;
    const prefix = given === '' || given.endsWith('/') ? given : `${given}/`;
    for (const [index, objectKey] of deployment.SourceObjectKeys.entries()) {
      const folder = stack.asset(objectKey);
      const markers = deployment.SourceMarkers[index] ?? {};
      const jsonEscape = deployment.SourceMarkersConfig[index]?.jsonEscape ?? false;
      for (const file of filesBelow(folder)) {
        if (!isDeployed(file, deployment)) continue;
        let object: StoredObject | undefined;
        const entry = () =>
          (object ??= read({
            file: path.join(folder, file),
            markers,
            jsonEscape,
            systemMetadata: deployment.SystemMetadata,
            withLocalAddresses: (text) => stack.withLocalAddresses(text),
          }));
        bucket.entries.set(`${prefix}${file}`, entry);
      }
    }
  }
}

/** Paths relative to `folder`, with slashes. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
}

// Whether a file is deployed, as in `aws s3 sync`: every file except for excluded ones, unless they are
// included again.
function isDeployed(file: string, { Include, Exclude }: z.infer<typeof DeploymentProperties>): boolean {
  const matches = (pattern: string) => globOf(pattern).test(file);
  return !Exclude.some(matches) || Include.some(matches);
}

// The CLI's `*` matches slashes too.
function globOf(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[.+^${}()|\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`);
}

function read({
  file,
  markers,
  jsonEscape,
  systemMetadata,
  withLocalAddresses,
}: {
  file: string;
  markers: Record<string, string>;
  jsonEscape: boolean;
  systemMetadata: Record<string, string>;
  withLocalAddresses: (text: string) => string;
}): StoredObject {
  let body = readFileSync(file);
  const rendered = Object.keys(markers).length > 0;
  if (rendered) {
    const text = Object.entries(markers).reduce(
      (filled, [marker, value]) =>
        filled.replaceAll(marker, jsonEscape ? JSON.stringify(value).slice(1, -1) : value),
      body.toString('utf8'),
    );
    body = Buffer.from(withLocalAddresses(text));
  }
  return {
    body,
    contentType: systemMetadata['content-type'] ?? contentTypeOf(file),
    etag: `"${createHash('md5').update(body).digest('hex')}"`,
    lastModified: statSync(file).mtime,
    cacheControl: systemMetadata['cache-control'],
    rendered,
  };
}

// Content types as the AWS CLI guesses them, without character sets.
const contentTypes: Record<string, string> = {
  '.avif': 'image/avif',
  '.css': 'text/css',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.ico': 'image/vnd.microsoft.icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.md': 'text/markdown',
  '.mjs': 'text/javascript',
  '.mp4': 'video/mp4',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webm': 'video/webm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
};

export function contentTypeOf(file: string): string {
  return contentTypes[path.extname(file).toLowerCase()] ?? 'binary/octet-stream';
}
