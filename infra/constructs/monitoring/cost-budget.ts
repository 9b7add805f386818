import { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';

export interface CostBudgetProps {
  /** Dollars a month. */
  dollars: number;
  /** Receives a mail from AWS Budgets, which asks for no consent. */
  email: string;
}

/**
 * Mails when a month's costs of the whole account pass the budget, or are forecast to. AWS computes costs up
 * to three times a day.
 */
export class CostBudget extends Construct {
  constructor(scope: Construct, id: string, { dollars, email }: CostBudgetProps) {
    super(scope, id);
    const subscribers = [{ subscriptionType: 'EMAIL', address: email }];
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetName: Stack.of(this).stackName,
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: dollars, unit: 'USD' },
      },
      notificationsWithSubscribers: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
        notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold: 100 },
        subscribers,
      })),
    });
  }
}
