import { IIS_HEADER, printIis } from '../../../../core/src/log-formats/testing/print.ts';
import { serverSample } from '../testing/server-sample.ts';

export const sample = serverSample(printIis, {
  lacks: ['requestId', 'seconds', 'plus'],
  header: `${IIS_HEADER}\n`,
});
