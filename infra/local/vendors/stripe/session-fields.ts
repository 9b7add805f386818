import { orderedItems } from './catalogue.ts';
import { color, flag, list, metadata, object, oneOf, required, text, url } from './fields.ts';

const methodTypes = list(
  oneOf(
    'amazon_pay',
    'bacs_debit',
    'card',
    'cashapp',
    'ideal',
    'klarna',
    'link',
    'paypal',
    'sepa_debit',
    'us_bank_account',
  ),
);

/** The parameters of a new Checkout Session. */
export const sessionFields = {
  adaptive_pricing: object({ enabled: flag }),
  allow_promotion_codes: flag,
  // Replaces `payment_method_types`, which this version of the API no longer has.
  allowed_payment_method_types: methodTypes,
  automatic_tax: object({ enabled: required(flag) }),
  billing_address_collection: oneOf('auto', 'required'),
  branding_settings: object({
    background_color: color,
    border_style: oneOf('pill', 'rectangular', 'rounded'),
    button_color: color,
  }),
  client_reference_id: text,
  custom_text: object({ submit: object({ message: required(text) }) }),
  customer: required(text),
  customer_update: object({ address: oneOf('auto', 'never'), name: oneOf('auto', 'never') }),
  line_items: orderedItems,
  managed_payments: object({ enabled: flag }),
  metadata,
  mode: required(oneOf('subscription')),
  phone_number_collection: object({ enabled: required(flag) }),
  return_url: url,
  subscription_data: object({ metadata }),
  tax_id_collection: object({ enabled: required(flag), required: oneOf('if_supported', 'never') }),
  ui_mode: oneOf('elements', 'embedded_page', 'form', 'hosted_page'),
} as const;
