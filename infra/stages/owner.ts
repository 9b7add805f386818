import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Owner } from '../../schemas/product/owner.ts';

export const OWNER_FILE = 'web/content/owner.json';

/** The facts that only the owner of the product knows. Throws if the file doesn't match its schema. */
export const readOwner = (): Owner =>
  Owner.parse(JSON.parse(readFileSync(path.join(import.meta.dirname, '../..', OWNER_FILE), 'utf8')));
