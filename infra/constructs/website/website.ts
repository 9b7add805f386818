import { existsSync } from 'node:fs';
import { Annotations, Duration, Fn, RemovalPolicy } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AccessLevel,
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  type ErrorResponse,
  Function,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginRequestPolicy,
  PriceClass,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { ORIGIN_KEY_HEADER } from '../../../schemas/config/origin-key.ts';
import type { SiteConfig } from '../../../schemas/config/site-config.ts';
import { product } from '../../../schemas/product/product.ts';
import { hostRedirectsOf, namesOf } from '../../stages/site-names.ts';
import type { Stage } from '../../stages/stage.ts';
import type { StageName } from '../../stages/stages.ts';
import { API_STAGE } from '../api/api.ts';
import { EDGE_REGION } from '../../stages/edge-region.ts';
import { EdgeLog } from './edge-log.ts';
import { signInOrigin } from '../identity/identity.ts';
import { inlineScriptSources } from './inline-scripts.ts';
import { logRetentionOf } from '../lambda/log-retention.ts';
import { OriginKeys } from './origin-keys.ts';
import { pageRouting, siteFilesOf } from './page-routing.ts';
import { addOutputs } from '../outputs.ts';
import { allowFindings, allowUploads } from '../rule-exceptions.ts';
import { apiHeaders, pageHeaders } from './response-headers.ts';

/** Other addresses of pages. */
const REDIRECTS = { '/privacy-policy': '/privacy', '/policy': '/privacy' };

/**
 * The address where password managers send a user to change the password. The redirect has to be temporary
 * (https://w3c.github.io/webappsec-change-password-url/#semantics). Password managers trust it only if a
 * nonsense address below `/.well-known/` answers 404.
 */
const WELL_KNOWN = { '/.well-known/change-password': '/settings#change-password' };

/** The file that a deployment writes next to the built files. */
const SITE_CONFIG = 'config.json';

export interface WebsiteProps {
  stageName: StageName;
  stage: Stage;
  /** The API, which answers below `/api`. */
  httpApi: HttpApi;
  /** Folder of the built site. */
  site: string;
  /** ARN of the web ACL, in us-east-1. */
  webAcl: string | undefined;
}

/** The site's files in S3, and the CloudFront distribution that serves them and the API. */
export class Website extends Construct {
  /** Origin of the site, without a trailing slash. */
  readonly url: string;
  readonly distributionId: string;
  readonly originKeys: OriginKeys;
  readonly #bucket: IBucket;
  readonly #distribution: Distribution;
  readonly #site: string;

  constructor(scope: Construct, id: string, { stageName, stage, httpApi, site, webAcl }: WebsiteProps) {
    super(scope, id);
    if (!existsSync(site)) throw new Error(`There is no built site at ${site}.`);
    this.#site = site;
    this.#bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      // S3 deletes only empty buckets. Without this setting, a late failure of the first deployment couldn't
      // be rolled back, and no stage could be removed. Every deployment uploads the site again.
      autoDeleteObjects: true,
      removalPolicy: RemovalPolicy.DESTROY,
      // CDK's own types don't agree with each other about optional properties.
    }) as IBucket;
    allowFindings(this.#bucket, 'Only CloudFront reads the bucket, which holds only public files.', 'S1');
    this.originKeys = new OriginKeys(this, 'OriginKeys', stage.originKeys ?? ['A']);
    const files = siteFilesOf(site);
    const routing = pageRouting(
      { ...files, others: [...files.others, `/${SITE_CONFIG}`] },
      REDIRECTS,
      WELL_KNOWN,
      hostRedirectsOf(stage),
    );
    this.#distribution = new Distribution(this, 'Distribution', {
      comment: `${product.name} site and API`,
      defaultRootObject: 'index.html',
      ...(webAcl !== undefined && { webAclId: webAcl }),
      httpVersion: HttpVersion.HTTP2_AND_3,
      // Edge locations in North America and Europe, which serve all regions at a third of the price.
      priceClass: PriceClass.PRICE_CLASS_100,
      errorResponses: uncachedErrors,
      // The TLS policy can't be chosen with CloudFront's default certificate.
      ...(stage.domain && {
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
        domainNames: namesOf(stage.domain),
        certificate: Certificate.fromCertificateArn(this, 'Certificate', stage.domain.certificateArn),
      }),
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(this.#bucket, {
          // Without LIST, S3 answers 403 for a missing file. Callers still can't list the bucket: the root is
          // rewritten to the home page, and queries aren't forwarded.
          originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
        }),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        compress: true,
        responseHeadersPolicy: pageHeaders(this, {
          subdomainsNeedTls: stage.domain?.subdomainsNeedTls,
          isSearchable: stageName === 'production',
          inline: inlineScriptSources(site),
          signIn: signInOrigin(stage),
        }),
        functionAssociations: [
          {
            eventType: FunctionEventType.VIEWER_REQUEST,
            function: this.#edgeFunction('PageRequest', routing.request),
          },
          {
            eventType: FunctionEventType.VIEWER_RESPONSE,
            function: this.#edgeFunction('PageResponse', routing.response),
          },
        ],
      },
      additionalBehaviors: {
        [`/${API_STAGE}/*`]: this.#apiBehavior(httpApi, stage),
      },
    });
    this.#allowFindings(stage);
    if (stage.region === EDGE_REGION) {
      new EdgeLog(this, 'Log', { distribution: this.#distribution, retention: logRetentionOf(stage) });
    }
    this.distributionId = this.#distribution.distributionId;
    const { distributionDomainName: DistributionDomain } = this.#distribution;
    this.url = `https://${stage.domain?.name ?? DistributionDomain}`;
    addOutputs(this, { SiteUrl: this.url, DistributionDomain });
  }

  #edgeFunction(name: string, code: string): Function {
    return new Function(this, name, { code: FunctionCode.fromInline(code), runtime: FunctionRuntime.JS_2_0 });
  }

  #allowFindings(stage: Stage): void {
    const distribution = this.#distribution;
    Annotations.of(distribution).acknowledgeWarning(
      '@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
      'The distribution has a default root object, and no query reaches the bucket.',
    );
    allowFindings(distribution, 'The site is for everybody, in every country.', 'CFR1');
    allowFindings(
      distribution,
      'Standard logging v2 is on, which the rule does not know. Outside us-east-1 there is no log.',
      'CFR3',
    );
    if (!stage.firewall) {
      allowFindings(distribution, 'A stage without users needs no limits for an address.', 'CFR2');
    }
    if (!stage.domain) {
      allowFindings(distribution, "TLS can't be chosen with CloudFront's own certificate.", 'CFR4');
    }
  }

  #apiBehavior(httpApi: HttpApi, stage: Stage): BehaviorOptions {
    return {
      origin: new HttpOrigin(Fn.select(2, Fn.split('/', httpApi.apiEndpoint)), {
        customHeaders: { [ORIGIN_KEY_HEADER]: this.originKeys.sent },
      }),
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      responseHeadersPolicy: apiHeaders(this, stage.domain?.subdomainsNeedTls),
    };
  }

  /** Uploads the built site and its `/config.json`. */
  deploy(config: SiteConfig): void {
    const files = Source.asset(this.#site);
    const common = { destinationBucket: this.#bucket, prune: false, memoryLimit: 512 };
    // Files with a hash in their name never change. Pages that are already open still need the old files.
    const assets = new BucketDeployment(this, 'Assets', {
      ...common,
      sources: [files],
      exclude: ['*'],
      include: ['assets/*'],
      cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
    });
    const pages = new BucketDeployment(this, 'Pages', {
      ...common,
      sources: [files, Source.jsonData(SITE_CONFIG, config)],
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
}

/**
 * Stops CloudFront from caching errors. By default it caches them for ten seconds by path alone, so a refusal
 * for one user would be served to all users at that edge location.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/custom-error-pages-expiration.html
 */
const uncachedErrors: ErrorResponse[] = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504].map(
  (httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) }),
);
