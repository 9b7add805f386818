import { liveHistories } from './live-histories.ts';

liveHistories('second');
