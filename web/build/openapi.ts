import { readdirSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { api } from '../../schemas/api.ts';
import { type Endpoint, allRefusalsOf } from '../../schemas/routes/endpoint.ts';
import { product } from '../../schemas/product/product.ts';
import { oauthErrorsByStatus, refusalsByStatus } from './openapi-refusals.ts';
import { commentsIn } from './schema-comments.ts';

const schemas = new URL('../../schemas/', import.meta.url);

/** The modules whose exported schemas are components of the document, by their file below `schemas/`. */
const modules: Readonly<Record<string, object>> = Object.fromEntries(
  await Promise.all(
    ['shapes', 'rows']
      .flatMap((folder) => readdirSync(new URL(folder, schemas)).map((file) => `${folder}/${file}`))
      .map(
        async (file) =>
          [file, (await import(/* @vite-ignore */ new URL(file, schemas).href)) as object] as const,
      ),
  ),
);

export interface JsonSchema {
  [keyword: string]: unknown;
  description?: string;
  required?: string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

/**
 * The API as an OpenAPI 3.1 document. The document has the routes for browsers and apps, and leaves out the
 * routes for Stripe and Cognito. Descriptions are the comments in `schemas/`. A schema that no listed module
 * exports is written out in place, without descriptions.
 */
export function openApiDocument() {
  const components = new Components();
  const routes: [string, Endpoint][] = Object.entries(api);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, endpoint] of routes) {
    if (!isDescribed(endpoint)) continue;
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operation(name, endpoint, components),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${product.name} API`,
      version: '1',
      description:
        'Apps may get tokens and read the plan. The other operations are for the site itself, and change with it. Requests with unknown fields are refused, except in forms. Ignore unknown fields in answers: there may be more of them one day.',
      contact: { email: product.supportEmail },
    },
    servers: [{ url: '/api', description: 'Below the origin that serves this document.' }],
    tags: [
      { name: 'apps', description: 'For the site and for other apps.' },
      { name: 'site', description: 'For the site alone.' },
    ],
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: {
        site: token('An access token of the site.'),
        app: token('An access token that the site has sent to an app, after a sign-in at `/oauth/start`.'),
      },
    },
  };
}

const token = (description: string) => ({
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description,
});

const isDescribed = ({ caller }: Endpoint): boolean => ['bearer', 'anyone', 'app'].includes(caller);

function operation(name: string, endpoint: Endpoint, components: Components) {
  const { caller, appToken, query, body, form, response, status = 200, maxAge } = endpoint;
  const comments = readComments(`routes/${name}.ts`);
  const add = (schema: z.core.$ZodType, io: 'input' | 'output', part: string) =>
    described(components.add(schema, io), `endpoint.${part}`, comments);
  return {
    operationId: name,
    summary: comments.get('endpoint') ?? name,
    tags: [appToken || form ? 'apps' : 'site'],
    security: caller !== 'bearer' ? [] : [{ site: [] }, ...(appToken ? [{ app: [] }] : [])],
    ...(query && { parameters: parametersOf(add(query, 'input', 'query')) }),
    ...(body && { requestBody: { required: true, content: json(add(body, 'input', 'body')) } }),
    ...(form && { requestBody: { required: true, content: formOf(add(form, 'input', 'form')) } }),
    responses: {
      [status]: {
        description: 'Done.',
        ...(maxAge && { headers: storageHeaders }),
        content: json(add(response, 'output', 'response')),
      },
      ...(maxAge && {
        304: { description: 'The answer that `If-None-Match` names still stands.', headers: storageHeaders },
      }),
      ...(form
        ? oauthErrorsByStatus
        : refusalsByStatus(allRefusalsOf(endpoint), { isSignedIn: caller === 'bearer' })),
    },
  };
}

/** The headers of an answer that a caller may keep. */
const storageHeaders = {
  ETag: { description: 'Send it in `If-None-Match`.', schema: { type: 'string' } },
  'Cache-Control': {
    description: '`max-age` is the number of seconds after which to ask again.',
    schema: { type: 'string' },
  },
};

const json = (schema: JsonSchema) => ({ 'application/json': { schema } });

const formOf = (schema: JsonSchema) => ({ 'application/x-www-form-urlencoded': { schema } });

const parametersOf = ({ properties = {}, required = [] }: JsonSchema) =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));

const readComments = (file: string) => commentsIn(readFileSync(new URL(file, schemas), 'utf8'));

/** Collects the schemas that operations refer to. */
class Components {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly #names = z.registry<{ id: string }>();
  /** Comments of the module that exports the schema, by the schema's name. */
  readonly #comments = new Map<string, ReadonlyMap<string, string>>();

  constructor() {
    for (const [file, module] of Object.entries(modules)) {
      const comments = readComments(file);
      for (const [id, schema] of Object.entries(module)) {
        if (!(schema instanceof z.core.$ZodType)) continue;
        this.#names.add(schema, { id });
        this.#comments.set(id, comments);
      }
    }
  }

  /** Adds the schemas that this one refers to. Returns a reference, or the schema if it has no name. */
  add(schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
    const converted = z.toJSONSchema(schema, {
      io,
      metadata: this.#names,
      override: ({ jsonSchema }) => {
        if (io === 'output') delete jsonSchema.additionalProperties;
      },
    });
    const moved = JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/');
    const {
      $schema: _,
      $defs = {},
      ...root
    } = JSON.parse(moved) as JsonSchema & {
      $defs?: Record<string, JsonSchema>;
    };
    for (const [name, definition] of Object.entries($defs)) {
      this.schemas[name] = described(definition, name, this.#comments.get(name));
    }
    return root;
  }
}

/** A schema with the comments of the module that has it, in which the schema's path is `path`. */
function described(schema: JsonSchema, path: string, comments: ReadonlyMap<string, string> = new Map()) {
  describeFields(schema, path, comments);
  const text = comments.get(path);
  return text ? { description: text, ...schema } : schema;
}

/** Writes comments into the fields of a schema and of its nested objects. */
function describeFields(schema: JsonSchema, path: string, comments: ReadonlyMap<string, string>): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const fieldPath = `${path}.${name}`;
    const text = comments.get(fieldPath);
    if (text) field.description = text;
    describeFields(field, fieldPath, comments);
  }
  for (const part of [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])]) {
    describeFields(part, path, comments);
  }
}
