import * as z from 'zod/mini';
import { type Api, api, type RouteName } from '../../../schemas/api.ts';
import { type RefusalCode, refusals } from '../../../schemas/refusal.ts';
import type { AccessToken } from '../session/access-token.ts';

/** The routes a browser calls. */
type CallName = {
  [N in RouteName]: Api[N]['caller'] extends 'bearer' | 'anyone' ? N : never;
}[RouteName];

type Part<E, K extends 'body' | 'query'> =
  E extends Record<K, infer S extends z.ZodMiniType> ? Record<K, z.input<S>> : unknown;
type Input<N extends CallName> = Part<Api[N], 'body'> & Part<Api[N], 'query'>;
type Arguments<N extends CallName> = unknown extends Input<N> ? [] : [input: Input<N>];

interface UntypedInput {
  body?: unknown;
  query?: Record<string, string>;
}

type Common = 'bad-request' | 'too-large' | 'internal' | 'not-signed-in';
/** `unreachable`: no answer came. `unreadable`: the answer is not the API's. */
type FailureCode<N extends CallName> = Api[N]['refusals'][number] | Common | 'unreachable' | 'unreadable';

type Answer<N extends CallName> =
  | { ok: true; value: z.output<Api[N]['response']> }
  /** `sentence` is for the user. */
  | { ok: false; code: FailureCode<N>; sentence: string };

/** The browser's `fetch`, as far as it is used. */
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

interface Bearer {
  accessToken: () => Promise<AccessToken>;
  /** Another token than the rejected one. */
  renewedToken: (rejected: string) => Promise<AccessToken>;
  /** Called when a renewed token is rejected too. */
  signOut: () => Promise<void>;
}

// API Gateway gives up after 30 s.
const TIMEOUT = 30_000;

const sentences = {
  'not-signed-in': refusals['not-signed-in'].sentence,
  unreachable: `We couldn't reach the server. Please check your connection and try again.`,
  unreadable: 'The server gave an answer we could not read. Please try again in a moment.',
} as const;

const RefusalAnswer = z.object({ error: z.string(), code: z.string() });

/**
 * Calls the routes of `schemas/api.ts`. A call never rejects: a failure is an answer with a code and a
 * sentence for the user. A rejected token is renewed once, because the clocks of browser and server may
 * differ, for example after a laptop slept. If the new token is rejected too, the session ends.
 */
export function createClient({ fetch, bearer }: { fetch: Fetch; bearer: Bearer }) {
  return async function call<N extends CallName>(name: N, ...[input]: Arguments<N>): Promise<Answer<N>> {
    const send = (token: string | null) => fetch(...request(name, input as UntypedInput | undefined, token));
    try {
      if (api[name].caller === 'anyone') return await read(name, await send(null));

      const access = await bearer.accessToken();
      if (access.kind !== 'token') return failure(missing(access));
      const first = await send(access.token);
      if (first.status !== 401) return await read(name, first);

      const renewed = await bearer.renewedToken(access.token);
      if (renewed.kind !== 'token') return failure(missing(renewed));
      const second = await send(renewed.token);
      if (second.status !== 401) return await read(name, second);

      await bearer.signOut();
      return failure('not-signed-in');
    } catch {
      return failure('unreachable');
    }
  };
}

/** Calls a route by its name. */
export type Call = ReturnType<typeof createClient>;

async function read<N extends CallName>(name: N, response: Response): Promise<Answer<N>> {
  const json: unknown = await response.json().catch(() => undefined);
  if (response.ok) {
    const parsed = z.safeParse(api[name].response, json);
    return parsed.success
      ? { ok: true, value: parsed.data as z.output<Api[N]['response']> }
      : failure('unreadable');
  }
  const refused = RefusalAnswer.safeParse(json);
  if (!refused.success || !isRefusalCode(refused.data.code)) return failure('unreadable');
  return { ok: false, code: refused.data.code as FailureCode<N>, sentence: refused.data.error };
}

const failure = (code: keyof typeof sentences) => ({ ok: false, code, sentence: sentences[code] }) as const;

const missing = (access: Exclude<AccessToken, { kind: 'token' }>) =>
  access.kind === 'none' ? 'not-signed-in' : 'unreachable';

const isRefusalCode = (code: string): code is RefusalCode => Object.hasOwn(refusals, code);

function request(
  name: CallName,
  input: UntypedInput | undefined,
  token: string | null,
): [string, RequestInit] {
  const { path, method } = api[name];
  const query = input?.query ? `?${new URLSearchParams(input.query).toString()}` : '';
  return [
    `/api${path}${query}`,
    {
      method,
      headers: {
        accept: 'application/json',
        ...(input?.body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      ...(input?.body !== undefined && { body: JSON.stringify(input.body) }),
      signal: AbortSignal.timeout(TIMEOUT),
    },
  ];
}
