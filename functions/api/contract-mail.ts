import { endpoint } from '../../schemas/routes/contract-mail.ts';
import { type HolderDependencies, holderOf } from '../accounts/holder-of.ts';
import { isWithinLimit } from '../accounts/within-limit.ts';
import { cognitoUserPool } from '../adapters/cognito/user-pool.ts';
import { type AddressLimits, addressLimits } from '../adapters/dynamodb/address-limits.ts';
import { addressesTable } from '../adapters/dynamodb/addresses-table.ts';
import { type ContractLinks, contractLinks } from '../adapters/dynamodb/contract-links.ts';
import { type Mail, sesMail } from '../adapters/ses.ts';
import { endContractEmail } from '../emails/end-contract.ts';
import { notify } from '../notices/notify.ts';
import { route } from '../runtime/route.ts';
import { withEnvironment } from '../runtime/with-environment.ts';

interface Dependencies extends HolderDependencies {
  limits: AddressLimits;
  links: Pick<ContractLinks, 'create'>;
  mail: Mail;
  /** The site's origin. */
  siteUrl: string;
}

/**
 * Mails a link that ends the contract to the owner of an account, on any plan: the page behind the link says
 * which. Answers the same for every address, and a mail that isn't taken is only logged: the answer tells
 * nobody who has an account.
 */
export const mailContractLink = (dependencies: Dependencies) => {
  const { limits, links, mail, siteUrl } = dependencies;
  return route(endpoint, async ({ email }, { now }) => {
    const answer = { received: true as const };
    const account = await holderOf(dependencies, email);
    if (!account || !(await isWithinLimit(limits, 'mail', email, now))) return answer;
    const token = await links.create({ username: account.username, email }, now);
    await notify(mail, email, endContractEmail({ siteUrl, token }));
    return answer;
  });
};

export const handler = withEnvironment(endpoint, (environment) =>
  mailContractLink({
    addresses: addressesTable(environment.ADDRESSES_TABLE),
    pool: cognitoUserPool(environment.USER_POOL_ID),
    limits: addressLimits(environment.ADDRESS_CHANGES_TABLE),
    links: contractLinks(environment.ADDRESS_CHANGES_TABLE),
    mail: sesMail(environment),
    siteUrl: environment.SITE_URL,
  }),
);
