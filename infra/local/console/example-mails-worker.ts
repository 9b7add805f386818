import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { ExampleMail, ExampleMailsData } from './example-mails.ts';

/** A mail of the product. */
interface Email {
  occasion: string;
  composeExamples(siteUrl: string): Record<string, Omit<ExampleMail, 'occasion' | 'variant'>>;
}

const isEmail = (value: unknown): value is Email => typeof value === 'function' && 'composeExamples' in value;

const { folders, siteUrl } = workerData as ExampleMailsData;
const files = folders.flatMap((folder) => globSync(`${folder}/*.ts`)).toSorted();
const modules = await Promise.all(
  files.map(async (file) => (await import(pathToFileURL(file).href)) as Record<string, unknown>),
);
const mails = modules
  .flatMap((module) => Object.values(module).filter(isEmail))
  .flatMap((email) =>
    Object.entries(email.composeExamples(siteUrl)).map(([variant, mail]): ExampleMail => ({
      ...mail,
      occasion: email.occasion,
      variant,
    })),
  );
parentPort?.postMessage(mails, []);
