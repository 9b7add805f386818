import { AppCode } from '../../../schemas/rows/app-code.ts';
import { ex, put, remove } from './client.ts';

/** The AppCodes table: the codes that apps haven't redeemed yet. */
export const appCodesTable = (table: string) => ({
  /** False, and nothing changes, if the same code exists. */
  add: (code: AppCode) => put(table, code, ex`attribute_not_exists(code_hash)`),

  /** Takes a code that has not expired and went to this address. Among concurrent calls, one gets it. */
  async take(codeHash: string, redirectUri: string, now: Date) {
    const condition = ex`redirect_uri = ${redirectUri} AND expires_at > ${now.getTime() / 1000}`;
    const taken = await remove(table, { code_hash: codeHash }, condition);
    return taken && AppCode.parse(taken);
  },
});
