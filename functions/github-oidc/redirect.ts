import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { ProviderFault } from '../../schemas/product/provider-faults.ts';
import type { Issuer } from './issuer.ts';

/** Redirects the browser. `cookie`: the value of the `Set-Cookie` header. */
export const redirect = (location: string, cookie?: string): APIGatewayProxyStructuredResultV2 => ({
  statusCode: 302,
  headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  ...(cookie !== undefined && { cookies: [cookie] }),
});

/** Redirects the browser to our sign-in page, which has a sentence for the fault. */
export const redirectToSignIn = ({ url }: Pick<Issuer, 'url'>, fault: ProviderFault) =>
  redirect(new URL(`/login?fault=${fault}`, url).href);
