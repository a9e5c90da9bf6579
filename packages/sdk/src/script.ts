/** Entry of `sdk.js`. */
import { attempt } from './attempt.ts';
import { install } from './install.ts';

attempt(install);
