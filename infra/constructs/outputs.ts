import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Adds outputs to the construct's stack, by these names. */
export function addOutputs(scope: Construct, outputs: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(outputs)) {
    new CfnOutput(scope, name, { value }).overrideLogicalId(name);
  }
}
