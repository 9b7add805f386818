// Imported on demand, with these exports alone: .github/decisions/0016-bundles.md.
export { GetQueueAttributesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
