import { CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { retention } from '../../../schemas/product/retention.ts';
import { userExportState } from '../../../schemas/rows/user-backup.ts';
import { allowFindings, arnInRules } from '../rule-exceptions.ts';

/**
 * How long an export is kept: ten days less than the privacy policy promises. S3 keeps replaced and deleted
 * versions for another day, and takes some days to delete them. The tables' backups expire after 35 days.
 */
const KEPT = Duration.days(retention.daysOfBackups - 10);

/** The bucket with the daily exports of the user pool. */
export class Backups extends Construct {
  readonly bucketName: string;
  readonly #bucket: Bucket;

  /** `keepsData`: whether the bucket is kept when the stack is deleted. */
  constructor(scope: Construct, id: string, { keepsData }: { keepsData: boolean }) {
    super(scope, id);
    this.#bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      versioned: true,
      lifecycleRules: [
        {
          expiration: KEPT,
          noncurrentVersionExpiration: Duration.days(1),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
        // Removes the marker that a deleted object leaves once its versions are gone. S3 refuses this setting
        // next to an expiration.
        { expiredObjectDeleteMarker: true },
      ],
      autoDeleteObjects: !keepsData,
      removalPolicy: keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
    allowFindings(
      this.#bucket,
      'Only one function writes to the bucket, and logs it. CloudTrail can record reads.',
      'S1',
    );
    this.bucketName = this.#bucket.bucketName;
    new CfnOutput(Stack.of(this), 'BackupBucket', { value: this.bucketName });
  }

  /** Lets a function store a pool's exports and read their progress. The function can't read the exports. */
  grantUserExport(to: Function, poolId: string): void {
    allowFindings(
      to.role ?? to,
      'The export has a file for each part of the pool.',
      `IAM5[Resource::${arnInRules(this.#bucket)}/users/*]`,
    );
    to.addToRolePolicy(
      new PolicyStatement({
        actions: ['s3:PutObject'],
        resources: [this.#bucket.arnForObjects('users/*')],
      }),
    );
    to.addToRolePolicy(
      new PolicyStatement({
        actions: ['s3:GetObject'],
        resources: [this.#bucket.arnForObjects(userExportState(poolId))],
      }),
    );
    // Without this right, S3 answers 403 instead of 404 for a missing object, as on the first day.
    to.addToRolePolicy(
      new PolicyStatement({ actions: ['s3:ListBucket'], resources: [this.#bucket.bucketArn] }),
    );
  }
}
