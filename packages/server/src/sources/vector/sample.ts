import { shippedSample } from '../testing/shipped-sample.ts';

export const sample = shippedSample((message) => ({ message }));
