import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { ExampleMail, ExampleMailsData } from './example-mails.ts';

/** A mail of the product. */
interface Email {
  occasion: string;
  composeExamples: (siteUrl: string) => Promise<Record<string, Omit<ExampleMail, 'occasion' | 'variant'>>>;
}

const isEmail = (value: unknown): value is Email => typeof value === 'function' && 'composeExamples' in value;

const { folders, siteUrl } = workerData as ExampleMailsData;
const files = folders.flatMap((folder) => globSync(`${folder}/*.ts`)).toSorted();
const modules = await Promise.all(
  files.map(async (file) => (await import(pathToFileURL(file).href)) as Record<string, unknown>),
);
const emails = modules.flatMap((module) => Object.values(module).filter(isEmail));
const mails = await Promise.all(
  emails.map(async ({ occasion, composeExamples }) =>
    Object.entries(await composeExamples(siteUrl)).map(([variant, mail]): ExampleMail => ({
      ...mail,
      occasion,
      variant,
    })),
  ),
);
parentPort?.postMessage(mails.flat(), []);
