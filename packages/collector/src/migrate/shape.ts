/** What a repository of 0.5.0 and later is made of; `templates/collector` is the same, which a test holds. */
import { WORKER_VERSION } from '../version.ts';

export const COLLECTOR_PACKAGE = '@ghostlight/collector';
export const ENTRY_TEXT = `export { default } from '${COLLECTOR_PACKAGE}';\n`;
export const DEFAULT_ENTRY = 'src/index.js';

export const SCRIPTS: Readonly<Record<string, string>> = {
  check: 'ghostlight-collector check',
  predeploy: 'ghostlight-collector check',
  deploy: 'wrangler deploy',
  tail: 'wrangler tail',
};
/** Exact: the update bot moves it, by a pull request that can be looked at. */
export const DEPENDENCIES: Readonly<Record<string, string>> = { [COLLECTOR_PACKAGE]: WORKER_VERSION };
/** What wrangler asks for. */
export const ENGINES: Readonly<Record<string, string>> = { node: '>=22.12.0' };
/** npm 11 runs install scripts of these alone: they put the programs for this platform in place. */
export const ALLOW_SCRIPTS: Readonly<Record<string, boolean>> = { esbuild: true, workerd: true };
export const DEV_DEPENDENCIES: Readonly<Record<string, string>> = { wrangler: '4.164.0' };
