/** CloudFront takes certificates and web ACLs from this region alone, and delivers its log there. */
export const EDGE_REGION = 'us-east-1';
