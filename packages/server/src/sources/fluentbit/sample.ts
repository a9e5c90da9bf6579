import { shippedSample } from '../testing/shipped-sample.ts';

export const sample = shippedSample((log) => ({ log }));
