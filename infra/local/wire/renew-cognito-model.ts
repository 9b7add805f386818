/**
 * Writes infra/local/wire/cognito-model.json, the part of AWS's service model of Cognito that the check of
 * Cognito's messages needs: `node infra/local/wire/renew-cognito-model.ts <service-2.json> <commit>`. The
 * file is `botocore/data/cognito-idp/2016-04-18/service-2.json` of https://github.com/boto/botocore at that
 * commit.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { operations } from '../aws/cognito/operations/table.ts';
import { type CognitoModel, ModelShape, modelFile } from './cognito-model.ts';

const Reference = z.object({ shape: z.string() });
const Shape = z.object({
  type: z.string(),
  required: z.optional(z.array(z.string())),
  members: z.optional(z.record(z.string(), Reference)),
  member: z.optional(Reference),
  key: z.optional(Reference),
  value: z.optional(Reference),
  enum: z.optional(z.array(z.string())),
  pattern: z.optional(z.string()),
  min: z.optional(z.number()),
  max: z.optional(z.number()),
  document: z.optional(z.boolean()),
  fault: z.optional(z.boolean()),
});
const ServiceModel = z.object({
  operations: z.record(
    z.string(),
    z.object({ input: Reference, output: z.optional(Reference), errors: z.array(Reference) }),
  ),
  shapes: z.record(z.string(), Shape),
});

const [file, commit] = process.argv.slice(2);
if (!file || !commit) throw new Error('Name the file and the commit of boto/botocore that it is from.');
const service = ServiceModel.parse(JSON.parse(readFileSync(file, 'utf8')));

const kept = Object.entries(service.operations).filter(([name]) => operations.has(name));

const model: CognitoModel = {
  source: `botocore/data/cognito-idp/2016-04-18/service-2.json of https://github.com/boto/botocore at ${commit}`,
  licence: 'Apache-2.0, https://github.com/boto/botocore/blob/develop/LICENSE.txt',
  operations: {},
  shapes: {},
};
for (const [name, { input, output, errors }] of kept) {
  const references = [input, ...(output ? [output] : []), ...errors];
  for (const { shape } of references) keep(shape);
  model.operations[name] = {
    input: input.shape,
    ...(output && { output: output.shape }),
    errors: errors.map(({ shape }) => shape),
  };
}
const { source, licence } = model;
writeFileSync(
  modelFile,
  `{
  "source": ${JSON.stringify(source)},
  "licence": ${JSON.stringify(licence)},
  "operations": ${linesOf(model.operations)},
  "shapes": ${linesOf(model.shapes)}
}
`,
);

/** An object as JSON with a line for each entry. */
function linesOf(entries: object): string {
  const lines = Object.entries(entries).map(
    ([name, entry]) => `    ${JSON.stringify(name)}: ${JSON.stringify(entry)}`,
  );
  return `{\n${lines.join(',\n')}\n  }`;
}

/** Keeps a shape and all that it refers to. */
function keep(name: string): void {
  if (model.shapes[name]) return;
  const shape = service.shapes[name];
  if (!shape) throw new Error(`The model has no shape ${name}.`);
  const { members, member, key, value, ...rest } = shape;
  model.shapes[name] = ModelShape.parse({
    ...rest,
    ...(members && { members: mapped(members) }),
    ...(member && { member: member.shape }),
    ...(key && { key: key.shape }),
    ...(value && { value: value.shape }),
  });
  const inner = [...Object.values(members ?? {}), member, key, value];
  for (const each of inner) if (each) keep(each.shape);
}

function mapped(members: Record<string, { shape: string }>): Record<string, string> {
  return Object.fromEntries(Object.entries(members).map(([name, { shape }]) => [name, shape]));
}
