import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

export interface ExampleMail {
  name: string;
  occasion: string;
  /** The difference from the mail's other examples. */
  variant: string;
  subject: string;
  html: string;
  text: string;
}

/** The start parameters of the worker thread. */
export interface ExampleMailsData {
  folders: string[];
  siteUrl: string;
}

/**
 * The examples of the mails that the modules in these folders define. Composed in a new thread, since only
 * a new thread reads changed modules again. Rejects with the error of a module that can't be loaded.
 */
export async function exampleMails(folders: readonly string[], siteUrl: string): Promise<ExampleMail[]> {
  const root = new URL('../../../', import.meta.url);
  const workerData: ExampleMailsData = {
    folders: folders.map((folder) => fileURLToPath(new URL(folder, root))),
    siteUrl,
  };
  const worker = new Worker(new URL('example-mails-worker.ts', import.meta.url), {
    workerData,
    execArgv: [],
  });
  const [mails] = (await once(worker, 'message')) as [ExampleMail[]];
  return mails;
}
