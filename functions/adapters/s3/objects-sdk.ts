// Imported on demand, with these exports alone: .github/decisions/0016-bundles.md.
export { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
