import {
  HttpIntegrationType,
  HttpRouteIntegration,
  type HttpRouteIntegrationConfig,
  IntegrationCredentials,
  PayloadFormatVersion,
} from 'aws-cdk-lib/aws-apigatewayv2';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';

/** API Gateway's call of a function, by a role. CDK's own integration gives each function a permission. */
export class CalledByRole extends HttpRouteIntegration {
  readonly #handler: IFunction;
  readonly #caller: IRole;

  constructor(id: string, handler: IFunction, caller: IRole) {
    super(id);
    this.#handler = handler;
    this.#caller = caller;
  }

  override bind(): HttpRouteIntegrationConfig {
    return {
      type: HttpIntegrationType.AWS_PROXY,
      uri: this.#handler.functionArn,
      payloadFormatVersion: PayloadFormatVersion.VERSION_2_0,
      credentials: IntegrationCredentials.fromRole(this.#caller),
    };
  }
}
