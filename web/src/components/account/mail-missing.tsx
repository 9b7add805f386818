import { product } from '../../../../schemas/product/product.ts';

/** Help for a user to whom a mail doesn't come. */
export const MailMissing = () => (
  <p>
    If an email from us bounced, or you marked one as spam, we can't send you any more. In that case, please
    write to <a href={`mailto:${product.supportEmail}`}>{product.supportEmail}</a>.
  </p>
);
