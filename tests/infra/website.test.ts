import { createHash } from 'node:crypto';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { stages } from '../../infra/stages/stages.ts';
import { api } from '../../schemas/api.ts';
import { INLINE_SCRIPT, stageNames, templatesOf } from '../fixtures/aws/stack.ts';
import { resources } from '../fixtures/aws/template.ts';

const templates = templatesOf();

describe.each(stageNames)('the website of %s', (stageName) => {
  const template = templates[stageName];

  test('lets CloudFront read and list the bucket, and not write to it', () => {
    const [[, policy] = []] = resources(template, 'AWS::S3::BucketPolicy').filter(([id]) =>
      id.startsWith('Website'),
    );
    const document = policy?.Properties['PolicyDocument'] as
      | { Statement: { Effect: string; Action: string | string[]; Principal: unknown }[] }
      | undefined;
    const allowed = document?.Statement.filter(
      ({ Effect, Principal }) => Effect === 'Allow' && JSON.stringify(Principal).includes('cloudfront'),
    ).flatMap(({ Action }) => Action);
    expect(new Set(allowed)).toEqual(new Set(['s3:GetObject', 's3:ListBucket']));
  });

  test('allows the inline scripts of the pages by their hash, and no others', () => {
    const hash = createHash('sha256').update(INLINE_SCRIPT).digest('base64');
    const policy = JSON.stringify(resources(template, 'AWS::CloudFront::ResponseHeadersPolicy'));
    const [, scripts] = /script-src ([^;]*);/.exec(policy) ?? [];
    expect(scripts).toContain(`'sha256-${hash}'`);
    expect(scripts).not.toMatch(/unsafe|data:|\*(?!\.js\.stripe\.com)/);
  });

  const [pages = {}, answers = {}] = ['WebsiteHeaders', 'WebsiteApiHeaders'].map((id) =>
    headersOf(template, id),
  );

  test.each([
    ['pages', pages],
    ['answers of the API', answers],
  ])('gives %s the headers that keep other sites and old filters out', (_, headers) => {
    expect(headers).toMatchObject({
      'cross-origin-resource-policy': 'same-origin',
      XSSProtection: { Protection: false, Override: true },
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: 'DENY', Override: true },
      ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
      StrictTransportSecurity: {
        AccessControlMaxAgeSec: 63_072_000,
        // Unless the stage says that each subdomain has TLS.
        IncludeSubdomains: false,
        Override: true,
      },
    });
  });

  test('lets an answer of the API load nothing, if a browser shows it', () => {
    expect(JSON.stringify(answers)).toContain("default-src 'none'; frame-ancestors 'none'");
  });

  test('has browsers report what the policy blocks, to a route of the API', () => {
    const path = `/api${api['csp-report'].path}`;
    expect(JSON.stringify(pages)).toContain(`; report-uri ${path}; report-to csp`);
    expect(pages['reporting-endpoints']).toBe(`csp="${path}"`);
  });

  test('logs at the edge nothing that tells people apart, and no query', () => {
    const [[, delivery] = []] = resources(template, 'AWS::Logs::Delivery');
    const fields = delivery?.Properties['RecordFields'] as string[];
    expect(fields).toContain('cs-uri-stem');
    expect(
      fields.filter((field) => /query|ip|port|cookie|referer|agent|forwarded|country|asn/i.test(field)),
    ).toEqual([]);
    const [, group] =
      resources(template, 'AWS::Logs::LogGroup').find(([id]) => id.startsWith('WebsiteLog')) ?? [];
    expect(group?.Properties['RetentionInDays']).toBe(stages[stageName].logDays);
    const [, policy] =
      resources(template, 'AWS::Logs::ResourcePolicy').find(([id]) => id.startsWith('WebsiteLog')) ?? [];
    expect(JSON.stringify(policy?.Properties['PolicyDocument'])).toContain('delivery.logs.amazonaws.com');
  });

  test('lets pages load what Stripe and Cognito need, and forbids framing them', () => {
    const policy = JSON.stringify(pages);
    expect(policy).toMatch(/script-src 'self' 'sha256-[^ ]+' https:\/\/js\.stripe\.com/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("script-src 'self' 'unsafe-inline'");
    expect(policy).toContain('no-referrer');
  });
});

/** The headers of a response headers policy: CloudFront's own, and ours by their names. */
function headersOf(template: Template, id: string): Record<string, unknown> {
  const [, policy] =
    resources(template, 'AWS::CloudFront::ResponseHeadersPolicy').find(([name]) =>
      new RegExp(`^${id}[0-9A-F]{8}$`).test(name),
    ) ?? [];
  if (!policy) throw new Error(`The template has no headers ${id}.`);
  const { SecurityHeadersConfig, CustomHeadersConfig } = policy.Properties['ResponseHeadersPolicyConfig'] as {
    SecurityHeadersConfig: Record<string, unknown>;
    CustomHeadersConfig: { Items: { Header: string; Value: string }[] };
  };
  return {
    ...SecurityHeadersConfig,
    ...Object.fromEntries(CustomHeadersConfig.Items.map(({ Header, Value }) => [Header, Value])),
  };
}
