import { GetAccountCommand, GetEmailIdentityCommand, NotFoundException } from '@aws-sdk/client-sesv2';
import { product } from '../../../../schemas/product/product.ts';
import { type Check, error, type Finding, warning } from '../check.ts';
import { stackResources } from '../stack-resources.ts';
import { describeStack, isToBeCreated } from '../stack-state.ts';
import type { Target } from '../target.ts';

export const mail = (target: Target): Check => ({
  name: 'Mail (SES)',
  needsCredentials: true,
  async run() {
    const { ses, stage, stageName } = target;
    const account = await ses.send(new GetAccountCommand());
    const domain = stage.mailbox.split('@')[1] ?? '';
    const verified = await isIdentityVerified(target, domain);
    if (verified !== undefined && !(await isOurs(target, domain))) {
      return [
        error(
          `SES already has the identity ${domain}, which isn't the stack's: CloudFormation would roll back with "already exists".`,
          [
            `If something else mails from ${domain}: set another mailbox in infra/stages/${stageName}.ts, such as no-reply@mail.${domain}.`,
            `If nothing does: aws sesv2 delete-email-identity --region ${stage.region} --email-identity ${domain}`,
          ].join('\n'),
        ),
      ];
    }
    const isVerified = verified === true;
    const isOut = account.ProductionAccessEnabled === true;
    const setting = `sendsThroughSes in infra/stages/${stageName}.ts`;
    if (account.SendingEnabled === false) {
      return [
        error(
          'SES has paused sending in this account and region.',
          'Answer the case that AWS has opened: https://console.aws.amazon.com/support',
        ),
      ];
    }
    if (stage.sendsThroughSes) {
      return [
        ...(isVerified
          ? []
          : [
              error(
                `SES has not verified ${domain}: Cognito could not be set to send from it, and the deployment would fail.`,
                `Set the DNS records MailRecord1 to MailRecord3 that a deployment prints. For the first deployment, set ${setting} to false.`,
              ),
            ]),
        ...(isOut
          ? []
          : [
              inSandbox(
                error,
                target,
                `New users would get no code. Until AWS agrees, set ${setting} to false.`,
              ),
            ]),
      ];
    }
    if (isVerified && isOut) {
      const finding = stage.keepsData ? error : warning;
      return [
        finding(
          'SES is ready, and Cognito still sends its mail itself: fifty a day, without links.',
          `Set ${setting} to true.`,
        ),
      ];
    }
    return [
      ...(isOut ? [] : [inSandbox(warning, target, 'Our own mail reaches verified addresses only.')]),
      warning(
        'Until SES is ready, Cognito sends fifty mails a day at most, in its own words.',
        `Deploy, set the DNS records that are printed, run the preflight again, then set ${setting} to true.`,
      ),
    ];
  },
});

/** Undefined if SES has no such identity. */
async function isIdentityVerified({ ses }: Target, domain: string): Promise<boolean | undefined> {
  try {
    const identity = await ses.send(new GetEmailIdentityCommand({ EmailIdentity: domain }));
    return identity.VerifiedForSendingStatus === true;
  } catch (thrown) {
    if (thrown instanceof NotFoundException) return undefined;
    throw thrown;
  }
}

async function isOurs(target: Target, domain: string): Promise<boolean> {
  if (isToBeCreated(await describeStack(target))) return false;
  const resources = await stackResources(target);
  return resources.some(({ type, name }) => type === 'AWS::SES::EmailIdentity' && name === domain);
}

const inSandbox = (finding: typeof error, { stage }: Target, loss: string): Finding =>
  finding(
    `SES is in its sandbox in ${stage.region}. ${loss}`,
    [
      `aws sesv2 put-account-details --region ${stage.region} --production-access-enabled --mail-type TRANSACTIONAL \\`,
      `  --website-url ${product.siteOrigin} --contact-language EN`,
    ].join('\n'),
  );
