/** An invalid command line. The message is a sentence, or empty if the usage is enough. */
export class UsageError extends Error {}
