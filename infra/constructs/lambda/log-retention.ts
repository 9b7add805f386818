import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Stage } from '../../stages/stage.ts';

const retentionDays = {
  7: RetentionDays.ONE_WEEK,
  30: RetentionDays.ONE_MONTH,
  90: RetentionDays.THREE_MONTHS,
};

/** How long a stage keeps its function logs and access logs. */
export const logRetentionOf = ({ logDays }: Stage): RetentionDays => retentionDays[logDays];
