import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as changePassword } from '../../../../functions/api/change-password.ts';
import { Refusal } from '../../../../functions/runtime/refusal.ts';
import { call, refused } from '../../../fixtures/fakes/http-event.ts';
import { ada, beginOnFree, mail, planTable, pool } from '../ada.ts';

const { now, log } = beginOnFree();
beforeEach(() => planTable.rows.clear());

describe('changing the password', () => {
  const change = (body: unknown) =>
    call(changePassword.with(ada), { user: 'ada', authTime: Math.floor(Date.now() / 1000), body });
  const passwords = { currentPassword: 'correct horse', newPassword: 'battery staple' };

  test('stores the new password, then ends every session, and tells the user both by mail', async () => {
    expect(await change(passwords)).toEqual({ status: 200, body: { success: true, sessionsEnded: true } });
    const password = 'battery staple';
    expect(pool.of('ada')).toMatchObject({ password, sessionsEnded: [password] });
    expect(mail.sent).toMatchObject([{ to: 'ada@example.com', email: { name: 'password-changed' } }]);
    expect(mail.sent[0]?.email.text).toContain('Every other session was signed out.');
  });

  test('is mailed once, however often it happens within a minute, also where it is refused', async () => {
    planTable.put({ id: 'ada' });
    for (let times = 0; times < 30; times += 1) {
      vi.setSystemTime(now.getTime() + times * 2_000);
      const newPassword = `battery staple ${times}`;
      await change({ currentPassword: 'a guess', newPassword });
      expect((await change({ currentPassword: pool.of('ada').password, newPassword })).status).toBe(200);
    }
    expect(mail.sent).toHaveLength(1);
  });

  test('is mailed if it cannot be read when the last mail was sent', async () => {
    vi.spyOn(ada.notices, 'claim').mockRejectedValue(new Error('The table is away.'));
    expect((await change(passwords)).status).toBe(200);
    expect(mail.sent).toHaveLength(1);
    expect(log.text()).toContain('mail-not-limited');
  });

  test('succeeds if ending the sessions fails, and neither response nor mail says that they ended', async () => {
    vi.spyOn(ada.moments, 'takeBack').mockRejectedValueOnce(new Error('The table is away.'));
    expect(await change(passwords)).toEqual({ status: 200, body: { success: true, sessionsEnded: false } });
    expect(pool.of('ada').password).toBe('battery staple');
    expect(mail.sent).toHaveLength(1);
    expect(mail.sent[0]?.email.text).not.toContain('Every other session');
    expect(log.text()).toContain('sessions-not-ended');
  });

  test('succeeds if the mail cannot be sent, which is logged without the address', async () => {
    mail.down = true;
    expect((await change(passwords)).status).toBe(200);
    expect(log.text()).toContain('mail-not-sent');
    expect(log.text()).not.toContain('ada@example.com');
  });

  test('sends no mail and ends no session if Cognito refuses the password', async () => {
    vi.spyOn(pool.ownPassword, 'change').mockRejectedValueOnce(new Refusal('wrong-password'));
    expect(await change(passwords)).toMatchObject(refused(403, 'wrong-password'));
    expect(mail.sent).toEqual([]);
    expect(pool.of('ada').sessionsEnded).toEqual([]);
  });

  test.each([
    [{ ...passwords, newPassword: '' }],
    [{ ...passwords, newPassword: 'a'.repeat(257) }],
    [{ ...passwords, currentPassword: 'a'.repeat(257) }],
  ])('refuses a malformed request without asking Cognito (%#)', async (body) => {
    expect(await change(body)).toMatchObject(refused(400, 'bad-request'));
    expect(pool.of('ada').password).toBe('correct horse');
  });

  test('logs neither password, whatever the outcome', async () => {
    await change(passwords);
    await change(passwords);
    await change({ ...passwords, unknown: true });
    vi.spyOn(pool.ownPassword, 'change').mockRejectedValueOnce(new Error('Cognito is out of reach.'));
    await change(passwords);
    expect(log.lines.length).toBeGreaterThan(2);
    expect(log.text()).not.toMatch(/correct horse|battery staple/);
  });
});
