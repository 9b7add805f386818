import { product } from '../../../../schemas/product.ts';

/** Help for a user to whom a mail doesn't come. */
export const MailMissing = () => (
  <p>
    If our email to you once bounced, or you marked it as spam, we can't send you any more. Please write to{' '}
    <a href={`mailto:${product.supportEmail}`}>{product.supportEmail}</a> then.
  </p>
);
