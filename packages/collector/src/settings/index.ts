export { createSettingsReader } from './reader.ts';
export { type Forwarding, type ManifestSource, readSettings, type Settings } from './settings.ts';
