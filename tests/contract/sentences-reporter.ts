import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { UserConsoleLog } from 'vitest';

const signs = { passed: 'holds', failed: 'DOES NOT HOLD', skipped: 'not tried', pending: 'not tried' };

/** Prints each sentence when it was tried, and at the end a table of all sentences. */
export default class SentencesReporter implements Reporter {
  onTestCaseResult(testCase: TestCase): void {
    console.log(`${signs[testCase.result().state].padEnd(14)} ${sentenceOf(testCase)}`);
  }

  onUserConsoleLog({ content }: UserConsoleLog): void {
    console.log(content.trimEnd());
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const cases = modules.flatMap((module) => [...module.children.allTests()]);
    const target = process.env['STRIPE_SECRET_KEY'] ? 'Stripe’s test mode' : 'the stand-in';
    console.log(`\nSentences about Stripe, said of ${target}:\n`);
    for (const module of modules) {
      for (const error of module.errors()) console.log(`${module.relativeModuleId}: ${error.message}\n`);
    }
    for (const state of ['passed', 'skipped', 'failed'] as const) {
      for (const testCase of cases) {
        const result = testCase.result();
        if (result.state !== state) continue;
        const note = result.state === 'skipped' && result.note ? ` (${result.note})` : '';
        console.log(`${signs[state].padEnd(14)} ${sentenceOf(testCase)}${note}`);
        if (result.state !== 'failed') continue;
        for (const { message } of result.errors) {
          console.log(`${' '.repeat(15)}${message.split('\n')[0]}`);
        }
      }
    }
    const count = (state: string): number => cases.filter((each) => each.result().state === state).length;
    console.log(
      `\n${count('passed')} hold, ${count('failed')} don’t, ${count('skipped')} can’t be tried on this target.`,
    );
  }
}

const sentenceOf = ({ fullName }: TestCase): string => fullName.replaceAll(' > ', ' ');
