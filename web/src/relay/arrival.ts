import { isRegistered } from '../../../schemas/relay-address.ts';
import type { Flow } from './flow.ts';
import type { Answer } from './provider-sign-in.ts';
import { doubledName, isAnswer, type RelayRequest, requestOf } from './request.ts';
import {
  failed,
  goesNowhere,
  handedOver,
  MISSING_ADDRESS,
  NO_SESSION,
  NOT_REGISTERED,
  type Outcome,
  twice,
} from './way-out.ts';

/**
 * How somebody came to the callback page: with an address that nobody can read the same way twice; by an app's own address, or
 * with an answer to a sign-in that this tab knows nothing of; or with the answer to the tab's own.
 */
export type Arrival =
  | { kind: 'doubled'; name: string; request: RelayRequest }
  | { kind: 'without-session'; request: RelayRequest; message: string }
  | { kind: 'answered'; query: URLSearchParams; flow: Flow; request: RelayRequest };

const NOBODY: RelayRequest = { redirectUri: null, state: null };

export function arrivalOf(query: URLSearchParams, flow: Flow | null): Arrival {
  const name = doubledName(query);
  if (name !== null) return { kind: 'doubled', name, request: NOBODY };
  if (isAnswer(query)) {
    return flow
      ? { kind: 'answered', query, flow, request: { redirectUri: flow.redirectUri, state: flow.appState } }
      : { kind: 'without-session', request: NOBODY, message: NO_SESSION };
  }
  const request = requestOf(query);
  const message = request.redirectUri === null ? MISSING_ADDRESS : NO_SESSION;
  return { kind: 'without-session', request, message };
}

/**
 * What the page does about it. `answerTo` asks the provider, and is asked only where tokens would have somewhere to go;
 * `again` gives the address at which the same sign-in begins a second time.
 */
export async function outcomeOf(
  arrival: Arrival,
  registered: readonly string[],
  {
    answerTo,
    again,
  }: {
    answerTo: (query: URLSearchParams, flow: Flow) => Promise<Answer>;
    again: (flow: Flow) => Promise<string>;
  },
): Promise<Outcome> {
  if (arrival.kind === 'doubled') return goesNowhere(twice(arrival.name));
  if (arrival.kind === 'without-session') return failed(arrival.message, arrival.request, registered);
  const { query, flow, request } = arrival;
  if (!isRegistered(flow.redirectUri, registered)) return goesNowhere(NOT_REGISTERED);
  const answer = await answerTo(query, flow);
  if (answer.kind === 'refused') return failed(answer.message, request, registered);
  if (answer.kind === 'again') return { kind: 'onward', to: await again(flow) };
  return handedOver(flow.redirectUri, answer.tokens, flow.appState);
}
