import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ORIGIN_KEY_HEADER, ORIGIN_KEYS } from '../../schemas/config/origin-key.ts';
import { json } from './json-answer.ts';
import { logAsRequest } from './log.ts';
import { sameText } from './same-text.ts';

type Handler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/**
 * Refuses requests that bypass CloudFront and its firewall, or all if the variable is missing. Answers like
 * API Gateway itself and logs nothing, since the access log has the status. Lines of an accepted request have
 * its id.
 */
export const throughCloudFront =
  (handler: Handler): Handler =>
  async (event) => {
    const sent = event.headers[ORIGIN_KEY_HEADER] ?? '';
    const accepted = (process.env[ORIGIN_KEYS] ?? '').split(',');
    if (sent !== '' && accepted.some((key) => sameText(sent, key))) {
      return logAsRequest(event.requestContext.requestId, () => handler(event));
    }
    return json(403, { message: 'Forbidden' });
  };
