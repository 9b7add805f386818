import { open } from 'node:fs/promises';

/**
 * Writes a file that only its owner can read. Never replaces a file. Resolves with the line to print.
 */
export async function writePrivateFile(file: string, parts: AsyncIterable<string>): Promise<string> {
  // Fails if the file exists.
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const part of parts) await handle.write(part);
  } finally {
    await handle.close();
  }
  return `${file} is written. It holds personal data: delete it after use.`;
}
