import { beforeEach, expect, vi } from 'vitest';
import { changeEmail } from '../../../../functions/api/change-email.ts';
import { confirmEmail } from '../../../../functions/api/confirm-email.ts';
import { undoEmail } from '../../../../functions/api/undo-email.ts';
import { addressWorld } from '../../../fixtures/fakes/address-world.ts';
import { call } from '../../../fixtures/fakes/http-event.ts';
import { stopClock, watchLog } from '../../../fixtures/fakes/watch-log.ts';

export const MINUTE = 60_000;
export const start = Date.parse('2026-01-20T12:00:00Z');
export const A = 'ada@example.com';
export const B = 'ada@new.example';
export const C = 'ada@third.example';

export type Called = 'setAddress' | 'sendReset' | 'enable';

/** The acts of Ada, a thief and Cognito in tests of changing an address. Each test has a new world. */
export function addressActs() {
  const log = watchLog();
  stopClock('2026-01-20T12:00:00Z');
  let world = addressWorld(A);
  let { mail, pool } = world;
  beforeEach(() => {
    world = addressWorld(A);
    ({ mail, pool } = world);
  });

  const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
  const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;
  const ask = (newEmail: unknown, authTime = secondsAgo(60)) =>
    call(changeEmail(world), { user: 'ada', authTime, body: { newEmail } });
  const confirm = (code: unknown) => call(confirmEmail(world), { user: 'ada', body: { code } });
  const undo = (token: unknown) => call(undoEmail(world, clock), { body: { token } });
  /** A request that waits for another's turn tries again at once. */
  const clock = { now: () => new Date(), pause: async () => {} };

  const mailsTo = (address: string) => mail.sent.filter(({ to }) => to === address).map(({ email }) => email);
  const lastMailTo = (address: string) => mailsTo(address).at(-1)!;
  const codeTo = (address: string) => /\b\d{6}\b/.exec(lastMailTo(address).text)![0];
  const wrongCodeTo = (address: string) => (codeTo(address) === '000000' ? '000001' : '000000');
  const tokenTo = (address: string) => /undo-email#(\S+)/.exec(lastMailTo(address).text)![1]!;
  /** An account whose address nobody has proved. */
  const typed = (email: string) =>
    pool.put({ username: 'typed', email, status: 'UNCONFIRMED', emailVerified: false });
  /** Does something just before, or just after, the next call of a method of the pool takes effect. */
  const hookNext = (
    name: Called,
    { before = () => {}, after = () => {} }: Partial<Record<'before' | 'after', () => unknown>>,
  ) => {
    const method = pool[name].bind(pool) as (...given: string[]) => Promise<never>;
    vi.spyOn(pool, name).mockImplementationOnce(async (...given: string[]) => {
      await before();
      const answer = await method(...given);
      await after();
      return answer;
    });
  };
  const beforeNext = (name: Called, before: () => unknown) => hookNext(name, { before });
  const afterNext = (name: Called, after: () => unknown) => hookNext(name, { after });
  const ada = () => pool.accounts.get('ada')!;
  /** The passwords at the ends of sessions: by the change, and so often by the undo. */
  const endedBy = (undos: number) => [
    'correct horse',
    ...Array.from({ length: undos }, () => 'known to nobody'),
  ];
  const addressOfAda = () => ada().email;

  /** Changes the address. Resolves with the token of the mail to the earlier one. */
  const change = async (to: string): Promise<string> => {
    const from = addressOfAda()!;
    await ask(to);
    expect(await confirm(codeTo(to))).toMatchObject({ status: 200 });
    return tokenTo(from);
  };

  return {
    get current() {
      return { world, mail, pool };
    },
    log,
    later,
    secondsAgo,
    ask,
    confirm,
    undo,
    clock,
    mailsTo,
    lastMailTo,
    codeTo,
    wrongCodeTo,
    tokenTo,
    typed,
    beforeNext,
    afterNext,
    ada,
    endedBy,
    addressOfAda,
    change,
  };
}
