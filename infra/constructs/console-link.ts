import type { ILogGroup } from 'aws-cdk-lib/aws-logs';

export interface LogQuery {
  group: ILogGroup;
  /** For Logs Insights. */
  query: string;
}

/** The errors in a function's log. Lambda's JSON logging writes the level. */
export const errorsIn = ({ logGroup }: { logGroup: ILogGroup }): LogQuery => ({
  group: logGroup,
  query: 'filter level="ERROR" | sort @timestamp desc',
});

/** The lines of an event in a function's log. */
export const eventsIn = ({ logGroup }: { logGroup: ILogGroup }, event: string): LogQuery => ({
  group: logGroup,
  query: `filter message.event="${event}" | sort @timestamp desc`,
});

/** What stands for the group's name while the rest is encoded: the name is known at the deployment only. */
const GROUP = 'LOGGROUP';

/**
 * A link that opens Logs Insights with the query, for the last six hours. AWS doesn't document its form. It
 * is an object with `~` and `()` in place of JSON's marks, encoded twice with `$` in place of `%`. Names that
 * CloudFormation generates have letters, digits and hyphens only, which stay as they are.
 */
export function logsLink(region: string, { group, query }: LogQuery): string {
  const detail =
    `~(end~0~start~-21600~timeType~'RELATIVE~unit~'seconds~editorString~${text(query)}` +
    `~source~(~${text(GROUP)}))`;
  const once = detail.replaceAll(/[~()']/g, (sign) => `%${codeOf(sign)}`);
  const twice = encodeURIComponent(`?queryDetail=${once}`).replaceAll('%', '$');
  return `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#logsV2:logs-insights${twice.replace(GROUP, () => group.logGroupName)}`;
}

/** Of an ASCII character, two hexadecimal digits. */
const codeOf = (sign: string): string => sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');

/** A text within the object. */
const text = (value: string): string => `'${value.replaceAll(/[^\w.-]/g, (sign) => `*${codeOf(sign)}`)}`;
