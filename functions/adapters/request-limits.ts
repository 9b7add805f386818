const endingAfter = (milliseconds: number) => ({
  // The SDK's default for DynamoDB is four.
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
 * Settings of an AWS client whose service answers within one second. Without them a silent connection costs
 * the whole time of the function. The second attempt, after a pause below 0.3 s, still fits into the five
 * seconds of a Cognito trigger, and all three into the 29 s of a route, twice.
 */
export const QUICK = /* @__PURE__ */ endingAfter(3_000);

/** For operations that call our triggers (five seconds each). Three attempts fit into a route's 29 s. */
export const WITH_TRIGGERS = /* @__PURE__ */ endingAfter(8_000);
