import { expect, test } from 'vitest';
import { handledEventTypes, stuckMoney } from '../../../../functions/domain/handled-event-types.ts';
import { mergedSubject, stripeEventSubject } from '../../../../functions/domain/stripe-event-subject.ts';
import { markOf } from '../../../../functions/domain/mark.ts';
import { STAGE } from '../../../fixtures/fakes/stage.ts';

const subjectOf = (event: unknown) => stripeEventSubject(event, STAGE);

const created = 1_700_000_000;
const event = (type: string, object: Record<string, unknown>) => ({ type, created, data: { object } });
const mark = markOf(STAGE, 'user');
const subjectOn = (type: string, object: Record<string, unknown>) => subjectOf(event(type, object));
/** The fields of a subject that most events leave as they are. */
const nothing = { renewalUpcoming: false, chargeChanges: false, paid: false, stuck: [] as const };

const surrogate = '\uD83D';

test.each([
  ['cus_1', true],
  ['c'.repeat(255), true],
  ['c'.repeat(256), false],
  ['', false],
  ['../cus_1', false],
  ['cus_1/..', false],
  ['..', false],
  ['cus 1', false],
  ['cus_1\n', false],
  ['cus_٠', false],
  [`cus_${surrogate}`, false],
])('the id %j can be a customer of ours: %s', (id, isPossible) => {
  const session = { object: 'checkout.session', metadata: mark };
  for (const found of [
    subjectOn('checkout.session.completed', { ...session, customer: id }),
    subjectOn('checkout.session.completed', { ...session, customer: { id } }),
    subjectOn('customer.deleted', { object: 'customer', id }),
  ]) {
    expect(found?.customerId).toBe(isPossible ? id : undefined);
  }
});

test.each([
  ['6f9619ff-8b86-4d01-b42d-00cf4fc964ff', true],
  ['u'.repeat(128), true],
  ['u'.repeat(129), false],
  ['', false],
  ['"ada', false],
  ['ada"', false],
  ['ad a', false],
  ['ada\\', false],
  ['ada\n', false],
  [surrogate, false],
])('an object that names the user %j is read: %s', (userId, isRead) => {
  const metadata = markOf(STAGE, userId);
  const parent = { subscription_details: { metadata } };
  for (const found of [
    subjectOn('customer.subscription.updated', { object: 'subscription', customer: 'cus_1', metadata }),
    subjectOn('invoice.paid', { object: 'invoice', customer: 'cus_1', parent }),
  ]) {
    expect(found?.userId).toBe(isRead ? userId : undefined);
  }
});

const ofUser = { customer: 'cus_1', metadata: mark };
/** Objects as Stripe sends them, by the prefix of their events' types. */
const objects: Record<string, Record<string, unknown>> = {
  'checkout.session.': { object: 'checkout.session', id: 'cs_1', subscription: 'sub_1', ...ofUser },
  'refund.': { object: 'refund', id: 're_1', ...ofUser },
  'customer.subscription.': { object: 'subscription', id: 'sub_1', ...ofUser },
  'customer.': { object: 'customer', id: 'cus_1', metadata: mark },
  'invoiceitem.': { object: 'invoiceitem', id: 'ii_1', ...ofUser },
  'invoice.': {
    object: 'invoice',
    id: 'in_1',
    customer: 'cus_1',
    metadata: {},
    parent: { type: 'subscription_details', subscription_details: { subscription: 'sub_1', metadata: mark } },
  },
};

test.each([...handledEventTypes])(
  'an event of the type %s names its customer and user, a renewal, and money that is stuck',
  (type) => {
    const [, object = {}] = Object.entries(objects).find(([prefix]) => type.startsWith(prefix)) ?? [];
    expect(subjectOn(type, object)).toEqual({
      type,
      customerId: 'cus_1',
      userId: 'user',
      created,
      renewalUpcoming: type === 'invoice.upcoming',
      chargeChanges: type === 'invoice.upcoming' || type === 'invoiceitem.created',
      paid: type === 'invoice.paid',
      stuck: [stuckMoney[type as keyof typeof stuckMoney] ?? []].flat(),
    });
  },
);

test.each([
  { parent: null },
  { parent: { subscription_details: null } },
  { parent: { subscription_details: { metadata: null } } },
])('an invoice that names no user still names its customer (%j)', (fields) => {
  const invoice = { object: 'invoice', customer: 'cus_1', metadata: null, ...fields };
  const subject = subjectOn('invoice.paid', invoice);
  expect(subject).toMatchObject({ customerId: 'cus_1' });
  expect(subject?.userId).toBeUndefined();
});

test.each([{}, { id: null }])('an upcoming renewal has an invoice without an id (%o)', (id) => {
  const invoice = { object: 'invoice', customer: 'cus_1', ...id };
  const expected = { customerId: 'cus_1', renewalUpcoming: true };
  expect(subjectOn('invoice.upcoming', invoice)).toMatchObject(expected);
});

test.each([
  ['a type that changes no plan', event('product.created', { object: 'product', customer: 'cus_1' })],
  ['an invoice without a customer', event('invoice.paid', { object: 'invoice', customer: null })],
  ['a value that is no event', { hello: 'world' }],
  ['undefined', undefined],
])('%s has no subject', (_, value) => {
  expect(subjectOf(value)).toBeUndefined();
});

test('an object of another stage has no subject', () => {
  const metadata = markOf('staging', 'user');
  const parent = { subscription_details: { metadata } };
  for (const named of [{ metadata }, { metadata: {}, parent }, { metadata: { user_id: 'user' }, parent }]) {
    expect(subjectOn('invoice.paid', { object: 'invoice', customer: 'cus_1', ...named })).toBeUndefined();
  }
});

test('two events about a customer ask together for what either asks for', () => {
  const subject = { type: 'invoice.voided', customerId: 'cus_1', userId: undefined, ...nothing, created: 2 };
  const older = { ...subject, type: 'refund.failed', stuck: ['refund-failed'] as const, created: 1 };
  const asked = { userId: 'user', renewalUpcoming: true, chargeChanges: true, paid: true };
  const newer = { ...subject, type: 'invoice.upcoming', ...asked };
  const both = { customerId: 'cus_1', ...asked, stuck: ['refund-failed'], created: 1 };
  expect(mergedSubject(newer, older)).toEqual({ ...both, type: 'refund.failed' });
  expect(mergedSubject(older, newer)).toEqual({ ...both, type: 'invoice.upcoming' });
  expect(mergedSubject({ ...newer, userId: 'newer' }, { ...older, userId: 'older' }).userId).toBe('older');
  const neither = { ...older, stuck: [] };
  expect(mergedSubject(neither, neither)).toMatchObject(nothing);
});

test('Stripe’s event list takes all event types that we handle in one request', () => {
  // "An array of up to 20 strings containing specific event names": Stripe's reference.
  expect(handledEventTypes.size).toBeLessThanOrEqual(20);
});

test('support is told once that Stripe mails the invoices of a subscription', () => {
  const stuckOn = (type: string, collection_method: string, previous_attributes?: object) => {
    const object = { ...objects['customer.subscription.'], collection_method };
    return subjectOf({ type, created, data: { object, previous_attributes } })?.stuck;
  };
  const updated = 'customer.subscription.updated';
  const automatic = { collection_method: 'charge_automatically' };
  expect(stuckOn(updated, 'send_invoice', automatic)).toEqual(['invoices-mailed']);
  expect(stuckOn('customer.subscription.created', 'send_invoice')).toEqual(['invoices-mailed']);
  expect(stuckOn(updated, 'send_invoice', { status: 'active' })).toEqual([]);
  expect(stuckOn(updated, 'charge_automatically', { collection_method: 'send_invoice' })).toEqual([]);
});
