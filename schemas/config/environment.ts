import * as z from 'zod/mini';
import { type TableAction, type TableName, type TableVariable, tableVariable } from '../tables.ts';

// Every function loads this file, so the variables share two schemas: building a schema takes 0.1 ms.
const text = z.string();
const url = z.url();

/** An action of IAM without its prefix `cognito-idp:`. */
export type UserPoolAction =
  | 'AdminConfirmSignUp'
  | 'AdminCreateUser'
  | 'AdminDeleteUser'
  | 'AdminDisableProviderForUser'
  | 'AdminGetUser'
  | 'AdminInitiateAuth'
  | 'AdminSetUserPassword'
  | 'AdminUpdateUserAttributes'
  | 'AdminUserGlobalSignOut'
  | 'ListUsers';

/** The access of a function: the variables and rights of the resources that it names, and no others. */
export interface Access {
  tables?: { readonly [T in TableName]?: readonly TableAction[] };
  userPool?: readonly UserPoolAction[];
  needs: readonly Need[];
}

/** The variables of each need. `infra/provisions.ts` has their values and the rights. */
export const needs = {
  /** Call Stripe. The secret holds a `StripeSecret`. `STAGE` is in the mark of all that we create there. */
  stripe: { STRIPE_API: url, STRIPE_SECRET_ID: text, STAGE: text },
  /** Know whether Stripe computes taxes. `TAX` is `none` or `automatic`, the setting of the stage. */
  tax: { TAX: text },
  /** Know whether Cognito sends its mails through SES, with our text: `true` or `false`. */
  codeMail: { SENDS_THROUGH_SES: text },
  /** Make and read links that prove an address. The secret holds a `KeySecret`. */
  proofs: { PROOFS_SECRET_ID: text },
  /** Call the user pool's hosted domain as the relay's client. Cognito's codes go to `RELAY_CALLBACK`. */
  relayClient: { SIGN_IN_ORIGIN: url, RELAY_CLIENT_ID: text, RELAY_CALLBACK: url },
  /** Know the registered addresses of apps, with spaces between. */
  relayAddresses: { RELAY_ADDRESSES: text },
  /** Encrypt apps' refresh tokens. The secret holds a `KeySecret`. */
  appTokens: { APP_TOKENS_SECRET_ID: text },
  /** Write links to the site. `SITE_URL` is its origin, without a trailing slash. */
  site: { SITE_URL: url },
  /** Send mail through SES. `MAIL_FROM` is a mailbox like `Selfsame <no-reply@selfsame.example>`. */
  mail: { MAIL_FROM: text },
  /** Ask SES whether it still mails an address. */
  suppressedMail: {},
  /** Take an address off SES's list of bounced addresses. */
  unsuppressedMail: {},
  /** Check a user's password. The client's only flow needs AWS credentials. */
  ownPassword: { PASSWORD_CLIENT_ID: text },
  /** Send messages to the queue of due accounts. `DUE_ACCOUNTS_QUEUE` is its address. */
  dueQueue: { DUE_ACCOUNTS_QUEUE: url },
  canary: { USER_POOL_ID: text, CANARY_CLIENT_ID: text, CANARY_EMAIL: text },
  /** Sign users in at GitHub. Two origins, and the secret that holds an `OAuthClientSecret`. */
  github: { GITHUB_URL: url, GITHUB_API: url, GITHUB_SECRET_ID: text },
  /** Issue ID tokens to Cognito. The secret holds an `IssuerSecret`. Codes go to the callback alone. */
  signIdTokens: { OIDC_KEY_ID: text, OIDC_SECRET_ID: text, COGNITO_CALLBACK: url },
} as const satisfies Record<string, Record<string, z.ZodMiniType>>;

export type Need = keyof typeof needs;

export type VariablesOf<N extends Need> = Record<keyof (typeof needs)[N], string>;

export const USER_POOL_ID = 'USER_POOL_ID';

export type Environment<A extends Access> = Record<
  | (A extends { tables: infer T } ? TableVariable<keyof T & TableName> : never)
  | (A extends { userPool: unknown } ? typeof USER_POOL_ID : never)
  | VariableName<A['needs'][number]>,
  string
>;
type VariableName<N extends Need> = N extends N ? keyof (typeof needs)[N] : never;

export const environmentSchemas = ({ tables = {}, userPool, needs: named }: Access) =>
  ({
    ...Object.fromEntries(Object.keys(tables).map((table) => [tableVariable(table as TableName), text])),
    ...(userPool && { [USER_POOL_ID]: text }),
    ...Object.assign({}, ...named.map((need) => needs[need])),
  }) as Record<string, typeof text | typeof url>;

/** Value of a provider's secret: our OAuth client there. */
export const OAuthClientSecret = z.object({ clientId: z.string(), clientSecret: z.string() });
export type OAuthClientSecret = z.infer<typeof OAuthClientSecret>;

/** The client id that Cognito uses at `functions/github-oidc`. Not a secret. */
export const COGNITO_CLIENT_ID = 'cognito';

/** Value of the secret that Cognito authenticates with at `functions/github-oidc`. */
export const IssuerSecret = z.object({ clientSecret: z.string() });
export type IssuerSecret = z.infer<typeof IssuerSecret>;

/** Value of the secret that apps' refresh tokens are encrypted with, or links in mails are hashed with. */
export const KeySecret = z.object({ key: z.string() });
export type KeySecret = z.infer<typeof KeySecret>;
