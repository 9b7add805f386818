import type { Stack } from 'aws-cdk-lib';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';

export interface LogQuery {
  group: ILogGroup;
  /** A query in the language of Logs Insights. */
  query: string;
}

/** The errors in a log, by the level that Lambda's JSON logging writes. */
export const errorsIn = ({ logGroup }: { logGroup: ILogGroup }): LogQuery => ({
  group: logGroup,
  query:
    'filter level="ERROR" | fields @timestamp, @logStream, message.event, message.error, errorMessage | sort @timestamp desc',
});

/** The lines of an event in a function's log. */
export const eventsIn = ({ logGroup }: { logGroup: ILogGroup }, event: string): LogQuery => ({
  group: logGroup,
  query: `filter message.event="${event}" | sort @timestamp desc`,
});

/** Placeholder for the group's name while the rest is encoded. The name is known only at deployment. */
const GROUP = 'LOGGROUP';

/**
 * A link that opens Logs Insights with the query, for the last six hours. AWS doesn't document the format: an
 * object with `~` and `()` in place of JSON's punctuation, encoded twice with `$` in place of `%`. Names that
 * CloudFormation generates need no encoding: they have only letters, digits and hyphens.
 */
export function logsLink(region: string, { group, query }: LogQuery): string {
  const detail =
    `~(end~0~start~-21600~timeType~'RELATIVE~unit~'seconds~editorString~${text(query)}` +
    `~source~(~${text(GROUP)}))`;
  const once = detail.replaceAll(/[~()']/g, (sign) => `%${codeOf(sign)}`);
  const twice = encodeURIComponent(`?queryDetail=${once}`).replaceAll('%', '$');
  return `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#logsV2:logs-insights${twice.replace(GROUP, () => group.logGroupName)}`;
}

/** A link to the stage's dashboard, which has the name of its stack. */
export const dashboardLink = ({ region, stackName }: Stack): string =>
  `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${stackName}`;

/** Two hexadecimal digits for an ASCII character. */
const codeOf = (sign: string): string => sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');

/** A string inside the object. */
const text = (value: string): string => `'${value.replaceAll(/[^\w.-]/g, (sign) => `*${codeOf(sign)}`)}`;
