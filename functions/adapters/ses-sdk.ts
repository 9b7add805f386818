// What the adapter beside it imports on demand. Of a package that is itself imported on demand, esbuild keeps
// every export, and loading all operations takes longer.
export {
  GetSuppressedDestinationCommand,
  NotFoundException,
  SESv2Client,
  SendEmailCommand,
} from '@aws-sdk/client-sesv2';
