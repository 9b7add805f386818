import { providers } from '../../../../schemas/product/providers.ts';
import { unlessMissing } from '../../../../functions/adapters/stripe/refusals.ts';
import { customerIdOf } from '../../../../functions/domain/plan.ts';
import { ownerIn } from '../../../../functions/domain/mark.ts';
import type { SupportedAccount } from '../accounts.ts';
import type { Findings } from '../findings.ts';
import { moment, nameOf, planInWords } from '../in-words.ts';
import type { MailState, Tools } from '../tools.ts';

/** Finds the accounts with an address, each with its row and its customer at Stripe. */
export async function find(tools: Tools, { email }: { email: string }): Promise<Findings> {
  const accounts = await tools.accounts.withAddress(email);
  if (accounts.length === 0) return { lines: [`No account has the address ${email}.`] };
  const described = await Promise.all(accounts.map((account) => describe(tools, account)));
  const several = `${email} has ${accounts.length} accounts, which are not linked.`;
  return { lines: [...(accounts.length > 1 ? [several] : []), ...described.flat()] };
}

async function describe(tools: Tools, account: SupportedAccount): Promise<string[]> {
  const row = await tools.planTable.read(account.sub);
  const customer = row && customerIdOf(row);
  const isMailed = account.email.includes('@');
  const ways = [
    ...(account.hasPassword ? ['password'] : []),
    ...account.providers.map((key) => providers[key].name),
  ];
  return [
    `${nameOf(account)}:`,
    `  signs in with    ${ways.join(', ')}`,
    `  status           ${account.status}${account.enabled ? '' : ', disabled: nobody can sign in'}`,
    `  address          ${account.emailVerified ? 'verified' : 'not verified'}`,
    ...(isMailed ? [`  mail             ${mailInWords[await tools.mailTo(account.email)]}`] : []),
    `  created          ${moment(account.createdAt.toISOString())}`,
    `  last sign-in     ${row?.last_sign_in_at === undefined ? 'not recorded' : moment(row.last_sign_in_at)}`,
    `  plan             ${row ? planInWords(row) : 'no row: no page has read the plan yet'}`,
    `  Stripe customer  ${customer === undefined ? 'none' : await customerInWords(tools, customer)}`,
  ];
}

const mailInWords: Record<MailState, string> = {
  sent: 'not stopped',
  stopped: 'bounced, so SES sends none: see "Mail to an address bounces" in the runbook',
  unknown: 'SES does not say whether it is stopped',
};

async function customerInWords({ stripe, billing }: Tools, id: string): Promise<string> {
  const client = await stripe();
  const customer = await unlessMissing(() => client.customers.retrieve(id));
  if (!customer) return `${id}, which Stripe does not know in the mode of this key`;
  if (customer.deleted) return `${id}, deleted at Stripe`;
  const { livemode, metadata } = customer;
  const owner = ownerIn(metadata, billing.stage);
  const whose = owner.kind === 'ours' ? `for the user ${owner.userId ?? '(unnamed)'}` : 'not of this stage';
  const link = `https://dashboard.stripe.com/${livemode ? '' : 'test/'}customers/${id}`;
  return `${id} in ${livemode ? 'live' : 'test'} mode, ${whose}: ${link}`;
}
