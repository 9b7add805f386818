import { randomBytes } from 'node:crypto';
import { DescribeUserPoolDomainCommand } from '@aws-sdk/client-cognito-identity-provider';
import { type Check, error } from '../check.ts';
import { outputsOf } from '../stack-state.ts';
import type { Target } from '../target.ts';

/**
 * Whether the first part of the sign-in address is free. Cognito only answers for this account; for other
 * accounts, DNS is asked for the address. If an address that can't exist resolves too, DNS proves nothing.
 */
export const signInPrefix = (target: Target): Check => ({
  name: 'Sign-in address',
  needsCredentials: true,
  async run() {
    const { cognito, resolves, stage, stageName, stackName } = target;
    const { signInPrefix: prefix, region } = stage;
    const fix = `Set another signInPrefix in infra/stages/${stageName}.ts.`;
    const { DomainDescription } = await cognito.send(new DescribeUserPoolDomainCommand({ Domain: prefix }));
    const pool = DomainDescription?.UserPoolId;
    if (pool !== undefined) {
      const { UserPoolId } = await outputsOf(target);
      return pool === UserPoolId
        ? []
        : [
            error(
              `The sign-in prefix ${prefix} belongs to ${pool}, which is not the pool of ${stackName}.`,
              fix,
            ),
          ];
    }
    const addressOf = (name: string) => `${name}.auth.${region}.amazoncognito.com`;
    const isTaken =
      (await resolves(addressOf(prefix))) && !(await resolves(addressOf(randomBytes(12).toString('hex'))));
    return isTaken ? [error(`The sign-in prefix ${prefix} is taken by another AWS account.`, fix)] : [];
  },
});
