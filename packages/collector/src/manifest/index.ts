/** The site's tools, signed by the service and served at the edge: `/.well-known/webmcp.json`. */
export { createManifestHost, MANIFEST_PATH, type ManifestHost } from './host.ts';
