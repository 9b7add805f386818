import { testRandomHistories } from './random-histories.ts';

testRandomHistories('second');
