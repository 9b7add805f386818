import { endpoint } from '../../schemas/routes/csp-report.ts';
import { violationsIn } from '../domain/csp-violation.ts';
import { log } from '../runtime/log.ts';
import { Refusal } from '../runtime/refusal.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

/** Anybody can send a report, so each request writes one line at most, and no alarm counts them. */
export const receiveReports = () =>
  route(endpoint, async (_, { rawBody }) => {
    const [violation, ...others] = violationsIn(parsed(rawBody));
    if (violation) log.info('csp-violation', { ...violation, others: others.length });
    return {};
  });

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal('bad-request');
  }
}

export const handler = withEnvironment(endpoint.needs, receiveReports);
