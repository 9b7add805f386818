import { AppCode } from '../../../schemas/rows/app-code.ts';
import { ex, put, remove } from './client.ts';

/** The AppCodes table: the codes that apps haven't redeemed yet. */
export interface AppCodesTable {
  /** False, and nothing changes, if the same code exists. */
  add(code: AppCode): Promise<boolean>;
  /**
   * Takes a code that has not expired and went to this address. Among concurrent calls, one gets it. Any
   * other code stays as it is.
   */
  take(codeHash: string, redirectUri: string, now: Date): Promise<AppCode | undefined>;
}

export const appCodesTable = (table: string): AppCodesTable => ({
  add: (code) => put(table, code, ex`attribute_not_exists(code_hash)`),

  async take(codeHash, redirectUri, now) {
    const condition = ex`redirect_uri = ${redirectUri} AND expires_at > ${now.getTime() / 1000}`;
    const taken = await remove(table, { code_hash: codeHash }, condition);
    return taken && AppCode.parse(taken);
  },
});
