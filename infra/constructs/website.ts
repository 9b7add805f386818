import { existsSync } from 'node:fs';
import { Annotations, Aws, Duration, Fn, RemovalPolicy } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AccessLevel,
  AllowedMethods,
  CachePolicy,
  Distribution,
  type ErrorResponse,
  Function,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginRequestPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import type { SiteConfig } from '../../schemas/site-config.ts';
import { product } from '../../schemas/product.ts';
import type { Stage } from '../stages/stage.ts';
import { API_STAGE } from './api.ts';
import { signInOrigin } from './identity.ts';
import { inlineScriptSources } from './inline-scripts.ts';
import { pageRouting, pagesOf } from './page-routing.ts';
import { allowFindings, allowUploads } from './rule-exceptions.ts';

/** Other addresses of pages. */
const REDIRECTS = { '/privacy-policy': '/privacy', '/policy': '/privacy' };

/**
 * Where password managers send a user to change the password. The redirect has to be temporary
 * (https://w3c.github.io/webappsec-change-password-url/#semantics). They trust it only if another address
 * below `/.well-known/`, of a name that no site has, answers 404.
 */
const WELL_KNOWN = { '/.well-known/change-password': '/dashboard#change-password' };

export interface WebsiteProps {
  stage: Stage;
  /** Answers below `/api`. */
  httpApi: HttpApi;
  /** Folder of the built site. */
  site: string;
  /** ARN of the web ACL, in us-east-1. */
  webAclArn: string;
}

/** The site's files in S3, and the CloudFront distribution that serves them and the API. */
export class Website extends Construct {
  /** Origin of the site, without a trailing slash. */
  readonly url: string;
  /** CloudFront's domain of the distribution. */
  readonly distributionDomain: string;
  readonly distributionId: string;
  readonly #bucket: IBucket;
  readonly #distribution: Distribution;
  readonly #site: string;

  constructor(scope: Construct, id: string, { stage, httpApi, site, webAclArn }: WebsiteProps) {
    super(scope, id);
    if (!existsSync(site)) throw new Error(`There is no built site at ${site}.`);
    this.#site = site;
    this.#bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      // Every deployment uploads the site anew. S3 doesn't delete a bucket that isn't empty: without this, a
      // late failure of the first deployment couldn't be rolled back, and no stage be removed.
      autoDeleteObjects: true,
      removalPolicy: RemovalPolicy.DESTROY,
      // CDK's own types don't agree with each other about optional properties.
    }) as IBucket;
    allowFindings(this.#bucket, 'Only CloudFront reads it, and it holds public files alone.', 'S1');
    const routing = pageRouting(pagesOf(site), REDIRECTS, WELL_KNOWN);
    const edgeFunction = (name: string, code: string): Function =>
      new Function(this, name, { code: FunctionCode.fromInline(code), runtime: FunctionRuntime.JS_2_0 });

    this.#distribution = new Distribution(this, 'Distribution', {
      comment: `${product.name} site and API`,
      defaultRootObject: 'index.html',
      webAclId: webAclArn,
      httpVersion: HttpVersion.HTTP2_AND_3,
      // Edge locations in North America and Europe. They serve all regions, at a third of the price.
      priceClass: PriceClass.PRICE_CLASS_100,
      errorResponses: uncachedErrors,
      // With CloudFront's default certificate the TLS policy can't be chosen.
      ...(stage.domain && {
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
        domainNames: [stage.domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', stage.domain.certificateArn),
      }),
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(this.#bucket, {
          // Without LIST, S3 answers 403 for a missing file. Callers still can't list the bucket: its root is
          // rewritten to the home page, and queries aren't forwarded.
          originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
        }),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        compress: true,
        responseHeadersPolicy: this.#headers(stage),
        functionAssociations: [
          {
            eventType: FunctionEventType.VIEWER_REQUEST,
            function: edgeFunction('PageRequest', routing.request),
          },
          {
            eventType: FunctionEventType.VIEWER_RESPONSE,
            function: edgeFunction('PageResponse', routing.response),
          },
        ],
      },
      additionalBehaviors: {
        [`/${API_STAGE}/*`]: {
          origin: new HttpOrigin(Fn.select(2, Fn.split('/', httpApi.apiEndpoint))),
          viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
          allowedMethods: AllowedMethods.ALLOW_ALL,
          cachePolicy: CachePolicy.CACHING_DISABLED,
          originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
          responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
        },
      },
    });
    Annotations.of(this.#distribution).acknowledgeWarning(
      '@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
      'The distribution has a default root object, and no query reaches the bucket.',
    );
    this.#allowFindings(stage);
    this.distributionDomain = this.#distribution.distributionDomainName;
    this.distributionId = this.#distribution.distributionId;
    this.url = `https://${stage.domain?.name ?? this.distributionDomain}`;
  }

  #allowFindings(stage: Stage): void {
    const distribution = this.#distribution;
    allowFindings(distribution, 'The site is for everybody, in every country.', 'CFR1');
    allowFindings(distribution, 'The API has an access log. Pages are public files.', 'CFR3');
    if (!stage.domain) {
      allowFindings(distribution, "TLS can't be chosen with CloudFront's own certificate.", 'CFR4');
    }
  }

  /** Uploads the built site and its `/config.json`. */
  deploy(config: SiteConfig): void {
    const files = Source.asset(this.#site);
    const common = { destinationBucket: this.#bucket, prune: false, memoryLimit: 512 };
    // Files with a hash in their name never change. Old files are kept for pages that are already open.
    const assets = new BucketDeployment(this, 'Assets', {
      ...common,
      sources: [files],
      exclude: ['*'],
      include: ['assets/*'],
      cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
    });
    const pages = new BucketDeployment(this, 'Pages', {
      ...common,
      sources: [files, Source.jsonData('config.json', config)],
      exclude: ['assets/*'],
      // Browsers revalidate each time. CloudFront caches until the next deployment invalidates.
      cacheControl: [CacheControl.fromString('public, max-age=0, s-maxage=86400, must-revalidate')],
      distribution: this.#distribution,
      distributionPaths: ['/*'],
    });
    // Assets are uploaded before the pages that load them.
    pages.node.addDependency(assets);
    allowUploads(assets, this.#bucket);
  }

  #headers(stage: Stage): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'Headers', {
      securityHeadersBehavior: {
        contentSecurityPolicy: {
          contentSecurityPolicy: contentSecurityPolicy(inlineScriptSources(this.#site), signInOrigin(stage)),
          override: true,
        },
        strictTransportSecurity: {
          accessControlMaxAge: Duration.days(730),
          includeSubdomains: true,
          override: true,
        },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        // Addresses may contain codes of mail links and tokens of the relay.
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      },
      customHeadersBehavior: {
        customHeaders: [
          // Isolates pages from windows that open them. Banks open popups from a checkout.
          { header: 'cross-origin-opener-policy', value: 'same-origin-allow-popups', override: true },
          {
            header: 'permissions-policy',
            value: 'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
            override: true,
          },
        ],
      },
    });
  }
}

/**
 * Stops CloudFront from caching errors. By default it caches them for ten seconds by path alone, so a refusal
 * for one user would be served to all users at that edge location.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/custom-error-pages-expiration.html
 */
const uncachedErrors: ErrorResponse[] = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504].map(
  (httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) }),
);

/**
 * Allows the site's own scripts, what Stripe's documentation lists for Stripe.js and embedded checkout, and
 * Cognito for Amplify. `inline`: sources of the inline scripts; `signIn`: origin of the hosted domain, for
 * the token request.
 */
function contentSecurityPolicy(inline: readonly string[], signIn: string): string {
  const stripe = 'https://js.stripe.com https://*.js.stripe.com https://checkout.stripe.com';
  const directives: Record<string, string> = {
    'default-src': "'self'",
    'script-src': ["'self'", ...inline, stripe].join(' '),
    // Pages have inline styles, and Stripe.js and React set styles on elements. Styles can't run code.
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data: https://*.stripe.com",
    'font-src': "'self'",
    'connect-src': `'self' https://cognito-idp.${Aws.REGION}.amazonaws.com ${signIn} https://api.stripe.com https://checkout.stripe.com`,
    'frame-src': `${stripe} https://hooks.stripe.com`,
    'frame-ancestors': "'none'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
