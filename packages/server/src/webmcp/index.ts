/** The service's side of the signed WebMCP manifest: tools, keys, publication. */

export { forgetManifest } from './current.ts';
export { createWebmcp, type Webmcp, type WebmcpOptions } from './webmcp.ts';
