import { RemovalPolicy } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type * as z from 'zod/mini';

export interface VendorSecretProps {
  secretName: string;
  /** Schema of the value, as JSON. */
  schema: z.ZodMiniObject;
  keepsData: boolean;
}

/** A secret for the keys that a vendor issues. They are entered after the first deployment. */
export class VendorSecret extends Secret {
  constructor(scope: Construct, id: string, { secretName, schema, keepsData }: VendorSecretProps) {
    const fields = Object.keys(schema.shape).map((field) => `"${field}"`);
    super(scope, id, {
      secretName,
      description: `${id}: {${fields.join(', ')}}. Put the real keys here after the first deployment.`,
      // Doesn't match the schema, so a function that reads it says that the keys are missing.
      generateSecretString: { secretStringTemplate: '{}', generateStringKey: 'placeholder' },
      removalPolicy: keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}
