/** Settings are parsed once per isolate, not once per request: the platform hands in the same variables each time. */
import type { CollectorEnv } from '../platform.ts';
import { readSettings, type Settings } from './settings.ts';

const VARIABLES = [
  'SERVICE_INGEST_URL',
  'SERVICE_ATTRIBUTION_ID',
  'SERVICE_BOTLIST_URL',
  'SERVICE_SAMPLE_RATE',
  'SERVICE_MANIFEST_URL',
  'SERVICE_API_KEY',
] as const satisfies (keyof CollectorEnv)[];

/** @returns the settings of an environment; problems are said when they are first read */
export function createSettingsReader(log: (sentence: string) => void): (env: CollectorEnv) => Settings {
  let read: { readonly values: readonly unknown[]; readonly settings: Settings } | null = null;
  return (env) => {
    // Values, not the object: it is a new one for each request.
    if (read !== null && VARIABLES.every((name, index) => env[name] === read?.values[index]))
      return read.settings;
    const { settings, problems } = readSettings(env);
    read = { values: VARIABLES.map((name) => env[name]), settings };
    for (const problem of problems) log(problem);
    return settings;
  };
}
