import { endpoint } from '../../schemas/routes/csp-report.ts';
import { crashIn, violationsIn } from '../domain/csp-violation.ts';
import { log } from '../runtime/log.ts';
import { parsedJson } from '../runtime/read-request.ts';
import { route } from '../runtime/route.ts';

/**
 * Anyone can send a report, so a request writes at most one line, and no alarm counts the lines. Extensions
 * cause many. In Logs Insights, many with a source of ours or of Stripe's are a fault of
 * `infra/constructs/website/response-headers.ts`, or an attack that it stopped.
 */
export const handler = route(endpoint, {}, async (_, { rawBody }) => {
  const body = parsedJson(rawBody);
  const [violation, ...others] = violationsIn(body);
  const crash = crashIn(body);
  if (crash) log.info('page-crash', crash);
  else if (violation) log.info('csp-violation', { ...violation, others: others.length });
  return {};
});
