import { type Activity, usage } from './activities.ts';

/** What one monthly user asks of each service in a month. */
export interface Demand {
  invocations: number;
  gigabyteSeconds: number;
  apiRequests: number;
  reads: number;
  writes: number;
  mails: number;
  signatures: number;
  edgeRequests: number;
  edgeGigabytes: number;
  logGigabytes: number;
  /** Operations on the user pool, by the category of Cognito's quotas. */
  userAuthentication: number;
  userFederation: number;
  userToken: number;
  userCreation: number;
  userAccountRecovery: number;
  userRead: number;
  userUpdate: number;
  /** Requests to Stripe's API, and those to the endpoint that is asked most. */
  stripeRequests: number;
  stripeSubscriptionLists: number;
}

/** Milliseconds that a function waits for a call. Assumed. */
const WAITS: readonly [start: string, milliseconds: number][] = [
  ['Cognito', 40],
  ['Stripe', 300],
  ['GitHub', 200],
  ['SES', 100],
  ['KMS', 15],
];
const WAIT_FOR_DYNAMODB = 6;
/** Milliseconds of a function besides its calls, with its share of cold starts. */
const OWN_TIME = 10;
/** GB of memory of a function: the default of `infra/constructs/app-function.ts`. */
const MEMORY = 0.5;
/** Bytes of log of an invocation: Lambda's own lines, ours, and the access log's. */
const LOG_BYTES = 1_200;
/**
 * Write units of a write to UserPlans: the row, and the old and the new entry of an index. All other tables
 * have no index.
 */
const UNITS_OF_A_PLAN_WRITE = 3;

const waitFor = (call: string): number =>
  WAITS.find(([start]) => call.startsWith(start))?.[1] ?? WAIT_FOR_DYNAMODB;

const callsOf = ({ calls }: Activity): string[] => calls.flatMap((line) => line.split(' + '));

/** Milliseconds that a function runs: calls of a line are made at once, the lines one after the other. */
const durationOf = ({ calls }: Activity): number =>
  calls.reduce((sum, line) => sum + Math.max(...line.split(' + ').map(waitFor)), OWN_TIME);

const isRoute = ({ asked: [name] }: Activity): boolean => !/^(?:triggers|schedules)\//.test(name);

/** Sums up what the activities lead to, for one monthly user. Pure. */
export function demandOf(activities: readonly Activity[]): Demand {
  const sum = (of: (activity: Activity) => number): number =>
    activities.reduce((total, activity) => total + activity.perUser * of(activity), 0);
  const count = (pattern: RegExp): number =>
    sum((activity) => callsOf(activity).filter((call) => pattern.test(call)).length);
  const invocations = sum(() => 1);
  const apiRequests = sum((activity) => (isRoute(activity) ? 1 : 0));
  const { visits, visitorsPerUser, requestsPerVisit, megabytesPerVisit } = usage;
  const { signIns, google, github, signUps, resets, refreshesPerVisit } = usage;
  const allVisits = visits + visitorsPerUser;
  const byProvider = signIns * (google + github);
  return {
    invocations,
    apiRequests,
    gigabyteSeconds: (sum(durationOf) / 1_000) * MEMORY,
    reads: count(/^(?:GetItem|Query) /),
    writes:
      count(/^(?:Put|Update|Delete)Item UserPlans/) * UNITS_OF_A_PLAN_WRITE +
      count(/^(?:Put|Update|Delete)Item (?!UserPlans)/),
    // Cognito sends the codes of sign-ups and resets.
    mails: count(/^SES SendEmail/) + signUps + resets,
    signatures: count(/^KMS Sign$/),
    edgeRequests: allVisits * requestsPerVisit + apiRequests,
    edgeGigabytes: (allVisits * megabytesPerVisit) / 1_000,
    logGigabytes: (invocations * LOG_BYTES) / 1e9,
    userAuthentication: signIns - byProvider,
    userFederation: byProvider,
    userToken: visits * refreshesPerVisit + byProvider,
    // To sign up, and to confirm.
    userCreation: 2 * signUps,
    userAccountRecovery: 2 * resets,
    userRead: count(/^Cognito (?:Admin)?GetUser$/),
    userUpdate: count(/^Cognito AdminUserGlobalSignOut$/),
    stripeRequests: count(/^Stripe /),
    stripeSubscriptionLists: count(/^Stripe GET \/v1\/subscriptions$/),
  };
}
