import * as z from 'zod/mini';
import { unlessDebugged } from '../../base/debugger.ts';
import { CognitoError, invalidParameter } from './errors.ts';
import type { UserPool, UserPoolClient } from './pools.ts';
import type { ChallengeResult } from './challenges.ts';
import { groupsOf, visibleAttributes, type User } from './users.ts';

/** Invokes a Lambda function by ARN and resolves with its result. Rejects with the error that it threw. */
export type Invoke = (functionArn: string, event: unknown) => Promise<unknown>;

/** `ClientMetadata` of a call. */
export type Metadata = Record<string, string> | null | undefined;

interface Call {
  pool: UserPool;
  clientId: string;
  username: string;
  metadata: Metadata;
}

// "Customizing user pool workflows with Lambda triggers": a response within five seconds, up to three tries.
// A busy machine starts a function in more than that, and each further try would start another.
const TIME_LIMIT = 20_000;
const TRIES = 3;

type PreSignUpSource = 'PreSignUp_SignUp' | 'PreSignUp_AdminCreateUser' | 'PreSignUp_ExternalProvider';
export type CustomMessageSource = 'CustomMessage_SignUp' | 'CustomMessage_ResendCode';
export type PreTokenGenerationSource =
  | 'TokenGeneration_Authentication'
  | 'TokenGeneration_HostedAuth'
  | 'TokenGeneration_RefreshTokens';
// A trigger that confirms or verifies by itself isn't supported.
const PreSignUpResponse = z.object({
  autoConfirmUser: z._default(z.literal(false), false),
  autoVerifyEmail: z._default(z.literal(false), false),
});
// Limits of the CustomMessage trigger, in characters.
const CustomMessageResponse = z.object({
  emailMessage: z.nullish(z.string().check(z.maxLength(20_000))),
  emailSubject: z.nullish(z.string().check(z.maxLength(140))),
});
// The claims that are added to the ID token or replaced there. Other changes are refused.
const PreTokenGenerationResponse = z.object({
  claimsOverrideDetails: z.nullish(
    z.strictObject({ claimsToAddOrOverride: z.optional(z.record(z.string(), z.string())) }),
  ),
});
const DefineAuthChallengeResponse = z.object({
  challengeName: z.nullish(z.string()),
  issueTokens: z.boolean(),
  failAuthentication: z.boolean(),
});
const Parameters = z.record(z.string(), z.string());
const CreateAuthChallengeResponse = z.object({
  publicChallengeParameters: z._default(Parameters, {}),
  privateChallengeParameters: z._default(Parameters, {}),
});
const VerifyAuthChallengeResponse = z.object({ answerCorrect: z.boolean() });
const Anything = z.looseObject({});
const Returned = z.object({ response: z.unknown() });

const Thrown = z.object({ errorMessage: z.string() });

export class Triggers {
  readonly #invoke: Invoke;
  readonly #timeLimit: number;

  /** `timeLimit`: milliseconds of real time, since functions really run. @default twenty seconds */
  constructor(invoke: Invoke, timeLimit = TIME_LIMIT) {
    this.#invoke = invoke;
    this.#timeLimit = timeLimit;
  }

  async preSignUp(
    source: PreSignUpSource,
    call: Call & { attributes: Record<string, string>; validationData?: Record<string, string> | undefined },
  ): Promise<void> {
    await this.#run(call, 'PreSignUp', source, {
      request: { userAttributes: call.attributes, validationData: call.validationData ?? null },
      response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
      schema: PreSignUpResponse,
    });
  }

  /** The message, with the placeholder for the code. Undefined if the pool's own template is to be used. */
  async customMessage(
    source: CustomMessageSource,
    to: Recipient & { placeholder: string },
  ): Promise<{ message: string | undefined; subject: string | undefined }> {
    const call = callOf(to);
    const response = await this.#run(call, 'CustomMessage', source, {
      request: {
        userAttributes: triggerAttributes(to.user),
        codeParameter: to.placeholder,
        linkParameter: '{##Click Here##}',
        usernameParameter: null,
      },
      response: { smsMessage: null, emailMessage: null, emailSubject: null },
      schema: CustomMessageResponse,
    });
    const written = {
      message: response?.emailMessage ?? undefined,
      subject: response?.emailSubject ?? undefined,
    };
    const isWritten = written.message !== undefined || written.subject !== undefined;
    // "emailMessage is allowed only if UserPool's EmailSendingAccount is DEVELOPER": an earlier edition of
    // the developer guide. The present edition doesn't say. The product has to work either way.
    if (isWritten && call.pool.settings.EmailConfiguration?.EmailSendingAccount !== 'DEVELOPER') {
      throw new CognitoError(
        'InvalidLambdaResponseException',
        'Custom messages need EmailSendingAccount DEVELOPER',
      );
    }
    return written;
  }

  async postConfirmation(of: Recipient): Promise<void> {
    await this.#run(callOf(of), 'PostConfirmation', 'PostConfirmation_ConfirmSignUp', {
      request: { userAttributes: triggerAttributes(of.user) },
      response: {},
      schema: Anything,
    });
  }

  /** Version 1 of the event, which every feature plan has. Resolves with claims of the ID token. */
  async preTokenGeneration(
    source: PreTokenGenerationSource,
    of: Recipient,
  ): Promise<Readonly<Record<string, string>>> {
    const response = await this.#run(callOf(of), 'PreTokenGeneration', source, {
      request: {
        userAttributes: triggerAttributes(of.user),
        groupConfiguration: {
          groupsToOverride: groupsOf(of.user),
          iamRolesToOverride: [],
          preferredRole: null,
        },
      },
      response: { claimsOverrideDetails: null },
      schema: PreTokenGenerationResponse,
    });
    return response?.claimsOverrideDetails?.claimsToAddOrOverride ?? {};
  }

  async defineAuthChallenge(of: Challenged, session: readonly ChallengeResult[]) {
    const response = await this.#run(
      challengedCall(of),
      'DefineAuthChallenge',
      'DefineAuthChallenge_Authentication',
      {
        request: { ...challengedUser(of), session },
        response: { challengeName: null, issueTokens: null, failAuthentication: null },
        schema: DefineAuthChallengeResponse,
      },
    );
    return response ?? noTrigger();
  }

  async createAuthChallenge(of: Challenged, session: readonly ChallengeResult[]) {
    const response = await this.#run(
      challengedCall(of),
      'CreateAuthChallenge',
      'CreateAuthChallenge_Authentication',
      {
        request: { ...challengedUser(of), challengeName: 'CUSTOM_CHALLENGE', session },
        response: {
          publicChallengeParameters: null,
          privateChallengeParameters: null,
          challengeMetadata: null,
        },
        schema: CreateAuthChallengeResponse,
      },
    );
    return response ?? noTrigger();
  }

  /** Resolves with whether the answer is right. */
  async verifyAuthChallengeResponse(
    of: Challenged,
    given: { privateChallengeParameters: Record<string, string>; challengeAnswer: string },
  ): Promise<boolean> {
    const response = await this.#run(
      challengedCall(of),
      'VerifyAuthChallengeResponse',
      'VerifyAuthChallengeResponse_Authentication',
      {
        request: { ...challengedUser(of), ...given },
        response: { answerCorrect: null },
        schema: VerifyAuthChallengeResponse,
      },
    );
    return (response ?? noTrigger()).answerCorrect;
  }

  /** Undefined if the pool has no such trigger. */
  async #run<S extends z.ZodMiniType>(
    { pool, clientId, username, metadata }: Call,
    trigger: TriggerName,
    triggerSource: string,
    event: { request: Record<string, unknown>; response: Record<string, unknown>; schema: S },
  ): Promise<z.infer<S> | undefined> {
    const functionArn = pool.settings.LambdaConfig[trigger];
    if (functionArn === undefined) return undefined;
    const returned = await this.#withinLimit(trigger, functionArn, {
      version: '1',
      region: pool.region,
      userPoolId: pool.id,
      userName: username,
      callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId },
      triggerSource,
      request: metadata ? { ...event.request, clientMetadata: metadata } : event.request,
      response: event.response,
    });
    const answer = event.schema.safeParse(Returned.safeParse(returned).data?.response);
    if (answer.success) return answer.data;
    throw new CognitoError('InvalidLambdaResponseException', 'Unrecognizable lambda output');
  }

  /** Retries only after a timeout, since a function that throws has answered. */
  async #withinLimit(trigger: TriggerName, functionArn: string, event: unknown): Promise<unknown> {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const silence = Promise.withResolvers<typeof noAnswer>();
      const timer = setTimeout(() => silence.resolve(noAnswer), unlessDebugged(this.#timeLimit));
      try {
        // Each try gets its own copy of the event, since handlers may modify it.
        const answer = await Promise.race([
          this.#invoke(functionArn, structuredClone(event)),
          silence.promise,
        ]);
        if (answer !== noAnswer) return answer;
      } catch (error) {
        const reason =
          Thrown.safeParse(error).data?.errorMessage ?? (error instanceof Error ? error.message : '');
        throw new CognitoError('UserLambdaValidationException', `${trigger} failed with error ${reason}.`);
      } finally {
        clearTimeout(timer);
      }
    }
    throw new CognitoError(
      'UnexpectedLambdaException',
      `${trigger} invocation failed due to error Socket timeout while invoking Lambda function.`,
    );
  }
}

const noAnswer = Symbol('no answer');

type TriggerName = keyof UserPool['settings']['LambdaConfig'];

/** The user whom a custom challenge is for. `user`: undefined if there is none with this name. */
export interface Challenged {
  client: UserPoolClient;
  user: User | undefined;
  username: string;
  metadata: Metadata;
}

const challengedCall = ({ client, username, metadata }: Challenged): Call => ({
  pool: client.pool,
  clientId: client.id,
  username,
  metadata,
});

const challengedUser = ({ user }: Challenged) => ({
  userAttributes: user ? triggerAttributes(user) : {},
  userNotFound: user === undefined,
});

/** moto's answer. AWS's documents name none. */
function noTrigger(): never {
  throw invalidParameter('Custom auth lambda trigger is not configured for the user pool.');
}

interface Recipient {
  client: Pick<UserPoolClient, 'id' | 'pool'>;
  user: User;
  metadata: Metadata;
}

function callOf({ client, user, metadata }: Recipient): Call {
  return { pool: client.pool, clientId: client.id, username: user.username, metadata };
}

function triggerAttributes(user: User): Record<string, string> {
  return { ...visibleAttributes(user), 'cognito:user_status': user.status };
}
