import { testRandomHistories } from './random-histories.ts';

testRandomHistories(20_260_202);
