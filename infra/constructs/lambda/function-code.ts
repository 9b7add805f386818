import path from 'node:path';
import { FileAssetPackaging, Stack, Stage } from 'aws-cdk-lib';
import { Code, type CodeConfig } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { bundle, requireHandler } from './bundle.ts';

export interface Handler {
  /** The handler's file below the folder of handlers, without its extension: `api/plan`. */
  entry: string;
  /** Absolute path of that file. */
  file: string;
}

/** Provides a function's code. `scope`: the function's parent construct. */
export type CodeOf = (scope: Construct, handler: Handler) => Code;

/** Bundles the handler now, for the upload. */
export const bundledCode: CodeOf = (scope, { entry, file }) => {
  const out = Stage.of(scope)?.outdir ?? 'cdk.out';
  return Code.fromAsset(bundle(file, path.join(out, 'bundles', entry.replaceAll('/', '-'))));
};

/**
 * Uses a folder below `folder` as the code, such as `<folder>/api/plan`. The caller bundles `handlers` into
 * it. The template then doesn't depend on the functions' sources, and synthesis is faster.
 */
export function codeBelow(folder: string): { codeOf: CodeOf; handlers: Handler[] } {
  const handlers: Handler[] = [];
  const codeOf: CodeOf = (_, handler) => {
    requireHandler(handler.file);
    handlers.push(handler);
    return new FolderCode(path.join(folder, handler.entry), handler.entry);
  };
  return { codeOf, handlers };
}

/** A folder that may be empty during synthesis. `Code.fromAsset` would copy it. */
class FolderCode extends Code {
  readonly isInline = false;
  readonly #folder: string;
  readonly #name: string;

  constructor(folder: string, name: string) {
    super();
    this.#folder = folder;
    this.#name = name;
  }

  override bind(scope: Construct): CodeConfig {
    const { bucketName, objectKey } = Stack.of(scope).synthesizer.addFileAsset({
      sourceHash: this.#name.replaceAll('/', '-'),
      fileName: path.relative(Stage.of(scope)?.outdir ?? 'cdk.out', this.#folder),
      packaging: FileAssetPackaging.ZIP_DIRECTORY,
    });
    return { s3Location: { bucketName, objectKey } };
  }
}
