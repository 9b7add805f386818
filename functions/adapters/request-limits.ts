/**
 * Settings of an AWS client that gives an attempt `milliseconds`. Without them a silent connection costs the
 * whole time of the function. The client tries three times, with pauses below 0.3 s.
 */
export const requestLimits = (milliseconds: number) => ({
  maxAttempts: 3,
  requestHandler: {
    requestTimeout: milliseconds,
    // Without this, the client only logs a warning.
    throwOnRequestTimeout: true,
    // For answers whose body stops on the way.
    socketTimeout: milliseconds,
  },
});

/**
 * Milliseconds. These services answer within one second. The second attempt still fits into the five seconds
 * of a Cognito trigger, and all three into the 29 s of a route, twice.
 */
export const QUICK = 3_000;

/**
 * Milliseconds. For operations of Cognito that call our triggers, each of which has five seconds. Three
 * attempts fit into the 29 s of a route.
 */
export const WITH_TRIGGERS = 8_000;
