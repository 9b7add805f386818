import type Stripe from 'stripe';
import { idOf, newId } from './ids.ts';
import type { Ledger } from './ledger.ts';

// Visa's deadline for evidence, three weeks. Other networks have other deadlines.
const EVIDENCE_WITHIN = 21 * 86_400;

/** Opens a dispute, as the card's bank does. The amount is withheld. */
export function openDispute(ledger: Ledger, charge: Stripe.Charge): Stripe.Dispute {
  const opened = {
    id: newId('du'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: ledger.now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: ledger.now() + EVIDENCE_WITHIN,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    network_reason_code: '10.4',
    payment_intent: idOf(charge.payment_intent),
    reason: 'fraudulent',
    status: 'needs_response',
  } satisfies Stripe.Dispute;
  const disputed = { ...charge, disputed: true };
  ledger.charges.put(charge.id, disputed);
  ledger.emit('charge.dispute.created', opened);
  ledger.emit('charge.updated', disputed, charge);
  return opened;
}

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
