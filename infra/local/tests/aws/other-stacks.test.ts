import { App, Stack } from 'aws-cdk-lib';
import { CognitoUserPoolsAuthorizer, MockIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Template } from 'aws-cdk-lib/assertions';
import { AccountRecovery, UserPool, type UserPoolProps } from 'aws-cdk-lib/aws-cognito';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { expect, test } from 'vitest';
import { startWorld } from '../../start-world.ts';

// Stacks like public examples of CDK with Cognito.

/** How the local world starts another program's stack: `starts`, or the sentence that refuses it. */
async function outcomeOf(build: (stack: Stack) => void): Promise<string> {
  const stack = new Stack(new App({ builtinCloudFormationValidation: false }), 'Theirs');
  build(stack);
  const { Resources: resources } = Template.fromStack(stack).toJSON();
  try {
    const { stop } = await startWorld({ aws: { resources } });
    await stop();
    return 'starts';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const withPool = (props: UserPoolProps) => (stack: Stack) => {
  const pool = new UserPool(stack, 'Users', { selfSignUpEnabled: true, ...props });
  pool.addClient('Web', {
    authFlows: { userSrp: true },
    preventUserExistenceErrors: true,
    disableOAuth: true,
  });
  new Table(stack, 'Orders', { partitionKey: { name: 'id', type: AttributeType.STRING } });
};
const byAddress = {
  signInAliases: { email: true },
  standardAttributes: { email: { required: true, mutable: true } },
} satisfies UserPoolProps;

test('a pool of addresses with a table starts, once it says what Cognito would do by default', async () => {
  const refused = await outcomeOf(withPool(byAddress));
  expect(refused).toContain('at UsernameConfiguration');
  expect(refused).toContain('at UserAttributeUpdateSettings');
  expect(refused).toContain('expected "admin_only"');
  const outcome = await outcomeOf(
    withPool({
      ...byAddress,
      accountRecovery: AccountRecovery.NONE,
      keepOriginal: { email: true },
      signInCaseSensitive: false,
    }),
  );
  expect(outcome).toBe('starts');
});

test('a pool of user names is refused by its property', async () => {
  const outcome = await outcomeOf(withPool({ signInAliases: { username: true, email: true } }));
  expect(outcome).toContain('Unrecognized key: "AliasAttributes"');
});

test('a REST API with an authorizer of Cognito is refused by its type', async () => {
  const outcome = await outcomeOf((stack) => {
    const cognitoUserPools = [new UserPool(stack, 'Users')];
    const authorizer = new CognitoUserPoolsAuthorizer(stack, 'Authorizer', { cognitoUserPools });
    new RestApi(stack, 'Api').root.addMethod('GET', new MockIntegration(), { authorizer });
  });
  expect(outcome).toMatch(/^The local world doesn't know the resource type AWS::ApiGateway::/);
});
