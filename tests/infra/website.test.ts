import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { api } from '../../schemas/api.ts';
import { INLINE_SCRIPT, stageNames, templatesOf } from '../fixtures/aws/stack.ts';
import { resources } from '../fixtures/aws/template.ts';

const templates = templatesOf();

describe.each(stageNames)('the website of %s', (stageName) => {
  const policies = JSON.stringify(resources(templates[stageName], 'AWS::CloudFront::ResponseHeadersPolicy'));

  test('allows the inline scripts of the pages by their hash, and no others', () => {
    const hash = createHash('sha256').update(INLINE_SCRIPT).digest('base64');
    const [, scripts] = /script-src ([^;]*);/.exec(policies) ?? [];
    expect(scripts).toContain(`'sha256-${hash}'`);
    expect(scripts).not.toMatch(/unsafe|data:|\*(?!\.js\.stripe\.com)/);
  });

  test('lets no other site frame its pages', () => {
    expect(policies).toContain("; frame-ancestors 'none'; ");
  });

  test('has browsers report crashes, and what the policy blocks, to a route of the API', () => {
    const path = `/api${api['csp-report'].path}`;
    expect(policies).toContain(`; report-uri ${path}; report-to default`);
    expect(policies).toContain(JSON.stringify(`default="${path}"`));
  });

  test('is kept from search engines unless it is production', () => {
    expect(policies.includes('"x-robots-tag","Override":true,"Value":"noindex"')).toBe(
      stageName !== 'production',
    );
  });

  test('has browsers keep files with a hash in their name for a year, and ask for every page again', () => {
    const uploads = resources(templates[stageName], 'Custom::CDKBucketDeployment').map(
      ([, { Properties }]) => [Properties['Include'] ?? Properties['Exclude'], Properties['SystemMetadata']],
    );
    expect(uploads).toEqual([
      [['assets/*'], { 'cache-control': 'public, max-age=31536000, immutable' }],
      [['assets/*'], { 'cache-control': 'public, max-age=0, s-maxage=86400, must-revalidate' }],
    ]);
  });

  test('logs at the edge nothing that tells people apart, and no query', () => {
    const [[, delivery] = []] = resources(templates[stageName], 'AWS::Logs::Delivery');
    const fields = delivery?.Properties['RecordFields'] as string[];
    const kinds = /query|ip|port|cookie|referer|agent|forwarded|country|asn/i;
    expect(fields.filter((field) => kinds.test(field))).toEqual([]);
  });
});
