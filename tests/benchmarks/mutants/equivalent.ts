/** A mutant that behaves like the original as far as a user, Stripe or Cognito can tell, and why. */
interface EquivalentMutant {
  file: string;
  /** Both as the benchmark prints them. */
  original: string;
  mutated: string;
  why: string;
}

export const equivalentMutants: readonly EquivalentMutant[] = [
  {
    file: 'functions/api/cancel-subscription.ts',
    original: "if (!isComplimentary(row)) throw new Refusal('no-active-subscription');",
    mutated: "if (false) throw new Refusal('no-active-subscription');",
    why: 'Reconciling schedules no end then, which is refused below in the same way. It saves a write.',
  },
  {
    file: 'functions/api/cancel-subscription.ts',
    original: "if (!isComplimentary(row)) throw new Refusal('no-active-subscription');",
    mutated: 'if (!isComplimentary(row)) ;',
    why: 'Reconciling schedules no end then, which is refused below in the same way. It saves a write.',
  },
  {
    file: 'functions/domain/account-linking.ts',
    original: 'const [, name, id] = /^([A-Za-z]+)_([0-9]+)$/.exec(userName) ?? [];',
    mutated: 'const [, name, id] = /^([A-Za-z]+)_([0-9]+)$/.exec(userName) ?? ["Stryker was here"];',
    why: 'The first element is not read.',
  },
  {
    file: 'functions/domain/account-linking.ts',
    original: 'return provider && id !== undefined ? { provider, id } : undefined;',
    mutated: 'return provider && true ? { provider, id } : undefined;',
    why: 'A provider is found only if the expression matches, and then there is an id. The compiler needs it.',
  },
  {
    file: 'functions/domain/address-change.ts',
    original:
      'export const isBarred = ({ barred = [], disconnected = [] }: AddressChange, identity: Identity): boolean =>',
    mutated:
      'export const isBarred = ({ barred = ["Stryker was here"], disconnected = [] }: AddressChange, identity: Identity): boolean =>',
    why: 'The text has no provider, so it bars none.',
  },
  {
    file: 'functions/domain/address-change.ts',
    original:
      'export const isBarred = ({ barred = [], disconnected = [] }: AddressChange, identity: Identity): boolean =>',
    mutated:
      'export const isBarred = ({ barred = [], disconnected = ["Stryker was here"] }: AddressChange, identity: Identity): boolean =>',
    why: 'The text has no provider, so it bars none.',
  },
  {
    file: 'functions/domain/address-change.ts',
    original: 'busy_until !== undefined && Date.parse(busy_until) > now.getTime();',
    mutated: 'true && Date.parse(busy_until) > now.getTime();',
    why: 'The date of undefined is NaN, which is not greater than anything. The compiler needs it.',
  },
  {
    file: 'functions/domain/address-change.ts',
    original: 'change.busy_until !== undefined && isBusy(change, now)',
    mutated: 'true && isBusy(change, now)',
    why: 'Nothing is busy without a time. The compiler needs it.',
  },
  {
    file: 'functions/domain/closing.ts',
    original: 'row.closing_until !== undefined && Date.parse(row.closing_until) > now.getTime();',
    mutated: 'true && Date.parse(row.closing_until) > now.getTime();',
    why: 'The date of undefined is NaN, which is not greater than anything. The compiler needs it.',
  },
  {
    file: 'functions/domain/closing.ts',
    original: 'closing_until !== undefined && Date.parse(closing_until) > now.getTime() + CLOSING_PERIOD;',
    mutated: 'true && Date.parse(closing_until) > now.getTime() + CLOSING_PERIOD;',
    why: 'The date of undefined is NaN, which is not greater than anything. The compiler needs it.',
  },
  {
    file: 'functions/domain/decide-plan.ts',
    original: '(a.id < b.id ? -1 : 1),',
    mutated: '(a.id <= b.id ? -1 : 1),',
    why: 'Two subscriptions never have the same id.',
  },
  {
    file: 'functions/domain/plan.ts',
    original:
      "if (typeof timestamp !== 'number' || !Number.isFinite(timestamp)) throw new PlanError('Invalid timestamp');",
    mutated: "if (false || !Number.isFinite(timestamp)) throw new PlanError('Invalid timestamp');",
    why: 'What is no number is not finite either. The compiler needs it.',
  },
  {
    file: 'functions/domain/plan.ts',
    original: 'return row.plan_expires_at !== undefined && Date.parse(row.plan_expires_at) <= now.getTime();',
    mutated: 'return true && Date.parse(row.plan_expires_at) <= now.getTime();',
    why: 'The date of undefined is NaN, which is not less than anything. The compiler needs it.',
  },
  {
    file: 'functions/domain/stripe-event-subject.ts',
    original: "owners.find((owner) => owner.kind === 'unmarked' && owner.userId !== undefined) ?? {",
    mutated: 'owners.find((owner) => true && owner.userId !== undefined) ?? {',
    why: 'Every other kind was found by the line before. The compiler needs it.',
  },
  {
    file: 'functions/runtime/cipher.ts',
    original: "requiredClaims: ['exp'],",
    mutated: 'requiredClaims: [],',
    why: 'Everything encrypted with our key has an expiry. The claim is required in case that changes.',
  },
  {
    file: 'functions/runtime/cipher.ts',
    original: '} catch { return undefined; }',
    mutated: '} catch {}',
    why: 'A function that ends without a return resolves with undefined too.',
  },
  {
    file: 'functions/runtime/oauth-parameters.ts',
    original: "if (type?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {",
    mutated: "if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {",
    why: 'A split text has a first part. The compiler needs it.',
  },
  {
    file: 'functions/github-oidc/request.ts',
    original:
      'return name?.toLowerCase() === scheme.toLowerCase() && more.length === 0 ? credentials : undefined;',
    mutated:
      'return name.toLowerCase() === scheme.toLowerCase() && more.length === 0 ? credentials : undefined;',
    why: 'A split text has a first part. The compiler needs it.',
  },
  {
    file: 'functions/runtime/oauth-parameters.ts',
    original: 'const name = String(parsed.error.issues[0]?.path[0]);',
    mutated: 'const name = String(parsed.error.issues[0].path[0]);',
    why: 'A failed parse has an issue. The compiler needs it.',
  },
  {
    file: 'functions/plans/reconcile.ts',
    original: 'await pause(Math.random() * MAXIMUM_PAUSE);',
    mutated: 'await pause(Math.random() / MAXIMUM_PAUSE);',
    why: 'Writers that lost to each other meet again sooner. Who wins is decided by the lock in any case.',
  },
  {
    file: 'functions/runtime/route.ts',
    original: "} catch { throw new Refusal('bad-request'); }",
    mutated: '} catch {}',
    why: 'The body is undefined then, which no schema of a body accepts: the refusal is the same.',
  },
  {
    file: 'functions/runtime/route.ts',
    original: "throw new Refusal('bad-request');",
    mutated: ';',
    why: 'The body is undefined then, which no schema of a body accepts: the refusal is the same.',
  },
  {
    file: 'functions/runtime/route.ts',
    original: "accessToken: (event.headers['authorization'] ?? '').replace(/^Bearer\\s+/i, ''),",
    mutated: "accessToken: (event.headers['authorization'] ?? '').replace(/Bearer\\s+/i, ''),",
    why: 'API Gateway has checked the token, and a token has no white space in it.',
  },
  {
    file: 'functions/schedules/event-catch-up.ts',
    original: 'if (next > position) {',
    mutated: 'if (next >= position) {',
    why: 'The cursor is moved to where it is.',
  },
  {
    file: 'functions/schedules/expiry-sweep.ts',
    original: 'for await (const page of plans.expired((first + offset) % EXPIRY_SHARDS, now)) yield* page;',
    mutated: 'for await (const page of plans.expired((first - offset) % EXPIRY_SHARDS, now)) yield* page;',
    why: 'Downwards from the same shard instead of upwards. Hours since 1970 stay positive.',
  },
  {
    file: 'functions/triggers/custom-message.ts',
    original: 'default: return undefined;',
    mutated: 'default:',
    why: 'A function that ends without a return returns undefined too.',
  },
  {
    file: 'functions/triggers/pre-sign-up.ts',
    original: "case 'PreSignUp_AdminCreateUser': // Administrators may create any account. break;",
    mutated: "case 'PreSignUp_AdminCreateUser':",
    why: 'It is the last case. The compiler wants each source named.',
  },
  {
    file: 'schemas/providers.ts',
    original: 'key !== null && Object.hasOwn(providers, key);',
    mutated: 'true && Object.hasOwn(providers, key);',
    why: 'No provider is called "null". The compiler needs it.',
  },
];
