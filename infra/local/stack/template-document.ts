import * as z from 'zod/mini';

/** A synthesized CloudFormation template: the parts that the local world reads. */
export const TemplateDocument = z.object({
  Metadata: z._default(z.record(z.string(), z.unknown()), {}),
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z._default(z.record(z.string(), z.unknown()), {}),
      Condition: z.optional(z.string()),
    }),
  ),
});
export type TemplateDocument = z.infer<typeof TemplateDocument>;
