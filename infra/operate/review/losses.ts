import { createHash } from 'node:crypto';
import { fullDiff, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import { PLACEHOLDER } from '../../stages/placeholders.ts';
import { regretsBetween } from './regrets.ts';
import type { Resource } from './resource.ts';
import type { Snapshot } from './snapshot.ts';

type Resources = Pick<Snapshot, 'Resources'>;

/** Resource types that can't be restored after a replacement, and what would be lost. */
const stateful: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'its rows',
  'AWS::DynamoDB::GlobalTable': 'its rows',
  'AWS::Cognito::UserPool': 'all accounts and passwords',
  'AWS::Cognito::UserPoolClient': 'all sessions',
  'AWS::Cognito::UserPoolDomain': 'the sign-in address that Google knows',
  'AWS::S3::Bucket': 'its objects',
  'AWS::KMS::Key': 'what only this key can sign or open',
  'AWS::SecretsManager::Secret': 'its value',
  'AWS::SQS::Queue': 'messages that wait in it',
  'AWS::SES::EmailIdentity': 'its DNS records',
  'AWS::CloudFront::Distribution': 'the address that DNS records point to',
  'AWS::ApiGatewayV2::Api': 'its address',
};

/** A stateful resource that a change would remove or replace, or change so that nothing takes it back. */
export interface Loss {
  id: string;
  type: string;
  how: 'removed' | 'replaced' | 'perhaps replaced' | 'changed';
  /** The changed properties that require a replacement, or can't be taken back. */
  properties: string[];
  /** The data that is lost with the resource, or the reason against the change. */
  lost: string;
  /**
   * Identifies the resource and this exact change, for `allowed-losses.ts`. A later change of the same
   * resource has another key.
   */
  key: string;
}

const impacts: Partial<Record<ResourceImpact, Loss['how']>> = {
  [ResourceImpact.WILL_DESTROY]: 'removed',
  [ResourceImpact.WILL_ORPHAN]: 'removed',
  [ResourceImpact.WILL_REPLACE]: 'replaced',
  [ResourceImpact.MAY_REPLACE]: 'perhaps replaced',
};

/**
 * The stateful resources of `before` that `after` doesn't keep. `@aws-cdk/cloudformation-diff` includes
 * CloudFormation's registry, which says which properties can't be changed in place. A resource that the stack
 * would only leave behind counts too, since it is no longer in use.
 */
export function lossesBetween(before: Resources, after: Resources): Loss[] {
  const losses: Loss[] = [];
  const difference = fullDiff({ Resources: before.Resources }, { Resources: after.Resources });
  difference.resources.forEachDifference((id, change) => {
    const type = change.oldResourceType;
    const how = impacts[change.changeImpact];
    const lost = type === undefined ? undefined : stateful[type];
    if (type === undefined || lost === undefined) return;
    const [old, now] = [before.Resources[id], after.Resources[id]];
    if (how === undefined) {
      for (const { property, why } of old && now ? regretsBetween(old, now) : []) {
        const key = keyOf(id, [property], now);
        losses.push({ id, type, how: 'changed', properties: [property], lost: why, key });
      }
      return;
    }
    const properties = Object.entries(change.propertyUpdates)
      .filter(([, { changeImpact }]) => changeImpact !== undefined && changeImpact in impacts)
      .map(([name]) => name);
    // This stage was never deployed: CDK doesn't deploy a stage with placeholders.
    if (
      properties.length > 0 &&
      properties.every((name) => PLACEHOLDER.test(JSON.stringify(old?.Properties?.[name])))
    )
      return;
    losses.push({ id, type, how, properties, lost, key: keyOf(id, properties, now) });
  });
  return losses;
}

function keyOf(id: string, properties: readonly string[], after: Resource | undefined): string {
  const values = properties.map((name) => [name, after?.Properties?.[name]]);
  const digest = createHash('sha256')
    .update(JSON.stringify([after?.Type, values]))
    .digest('hex');
  return `${id} ${digest.slice(0, 8)}`;
}

/** A line for people: the loss, the reason, and how to allow it. */
export const sentenceOf = ({ id, type, how, properties, lost, key }: Loss): string =>
  `${id} (${type}) would be ${how}${properties.length > 0 ? `, because of ${properties.join(', ')}` : ''}: ` +
  `${lost}${how === 'changed' ? '' : ' would be lost'}. If that is wanted, add '${key}' to infra/operate/review/allowed-losses.ts.`;
