import { describe, expect, test } from 'vitest';
import { mailRecords } from '../../../../../infra/operate/deploy/checks/mail-records.ts';
import { type Records, targetOf } from '../../../../../infra/operate/deploy/target.ts';
import type { Stage } from '../../../../../infra/stages/stage.ts';
import { readyRecords, readyStage } from '../../../../fixtures/aws/ready-account.ts';

describe('DNS records of mail', () => {
  const none = async (): Promise<string[]> => [];
  const spf = 'v=spf1 include:amazonses.com ~all';
  const recordFindings = (records: Partial<Records>, stage: Partial<Stage>) =>
    mailRecords({
      ...targetOf('production', { ...readyStage, ...stage }),
      records: { ...readyRecords, ...records },
    }).run();

  test.each<[string, Partial<Records>, Partial<Stage>, string, string]>([
    [
      'the server that takes bounces',
      { mx: none },
      { region: 'us-west-2' },
      'bounce.selfsame.test has no MX record.',
      'bounce.selfsame.test MX 10 feedback-smtp.us-west-2.amazonses.com',
    ],
    [
      'another server beside it',
      { mx: async () => ['feedback-smtp.us-east-1.amazonses.com', 'mx.elsewhere.test'] },
      {},
      'It needs feedback-smtp.us-east-1.amazonses.com alone',
      'bounce.selfsame.test MX 10 feedback-smtp.us-east-1.amazonses.com',
    ],
    [
      'SES in SPF',
      { txt: async () => ['v=spf1 -all', 'v=DMARC1; p=none'] },
      {},
      'bounce.selfsame.test has no SPF record with include:amazonses.com',
      'bounce.selfsame.test TXT "v=spf1 include:amazonses.com ~all"',
    ],
    [
      'a single SPF record',
      { txt: async () => [spf, 'v=spf1 -all', 'v=DMARC1; p=none'] },
      {},
      'bounce.selfsame.test has several SPF records',
      'bounce.selfsame.test TXT',
    ],
    [
      'DMARC',
      { txt: async (name) => (name === 'bounce.selfsame.test' ? [spf] : []) },
      {},
      'selfsame.test has no DMARC record',
      '_dmarc.selfsame.test TXT "v=DMARC1; p=none"',
    ],
    [
      'an answer of DNS',
      { mx: () => Promise.reject(new Error('queryMx ETIMEOUT')) },
      {},
      'DNS could not be asked: queryMx ETIMEOUT',
      'again',
    ],
  ])('are warned of with the record to create: %s', async (_, records, stage, says, fix) => {
    const [found, ...others] = await recordFindings(records, stage);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ kind: 'warning' });
    expect(found?.says).toContain(says);
    expect(found?.fix).toContain(fix);
  });

  test('are asked of the domains above, for staging', async () => {
    const txt: Records['txt'] = async (name) =>
      name === '_dmarc.selfsame.test' ? ['v=DMARC1; p=reject'] : name.startsWith('_dmarc') ? [] : [spf];
    expect(await recordFindings({ txt }, { mailbox: 'no-reply@staging.selfsame.test' })).toEqual([]);
  });
});
