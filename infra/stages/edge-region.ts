/** CloudFront accepts certificates and web ACLs only from this region, and delivers its log there. */
export const EDGE_REGION = 'us-east-1';
