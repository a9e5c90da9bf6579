import { printVhostCombined } from '../../../../core/src/log-formats/testing/print.ts';
import { serverSample } from '../testing/server-sample.ts';

export const sample = serverSample((record) => printVhostCombined(record), {
  lacks: ['requestId', 'seconds'],
});
