/** As far as a test's visit goes, it posts what `ghostlight-tail` posts. */
export { sample } from '../tail/sample.ts';
