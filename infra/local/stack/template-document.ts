import * as z from 'zod/mini';

/** A synthesized CloudFormation template: the parts that the local world reads. */
export const TemplateDocument = z.object({
  Parameters: z._default(
    z.record(
      z.string(),
      z.object({ Type: z.string(), Default: z.optional(z.union([z.string(), z.number()])) }),
    ),
    {},
  ),
  Mappings: z._default(z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))), {}),
  Conditions: z._default(z.record(z.string(), z.unknown()), {}),
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z._default(z.record(z.string(), z.unknown()), {}),
      Condition: z.optional(z.string()),
      Metadata: z._default(z.record(z.string(), z.unknown()), {}),
    }),
  ),
});
export type TemplateDocument = z.infer<typeof TemplateDocument>;
