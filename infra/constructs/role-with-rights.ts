import {
  type AddToPrincipalPolicyResult,
  type IPrincipal,
  PolicyDocument,
  type PolicyStatement,
  Role,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/**
 * A role with its rights inside, of at most 10,240 characters. CDK's own role puts them into a policy beside
 * it, which counts as one more of the stack's 500 resources.
 */
export class RoleWithRights extends Role {
  readonly #rights: PolicyDocument;

  constructor(scope: Construct, id: string, assumedBy: IPrincipal) {
    const rights = new PolicyDocument();
    super(scope, id, { assumedBy, inlinePolicies: { Rights: rights } });
    this.#rights = rights;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#rights.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}
