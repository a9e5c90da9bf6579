/** What an operator has to have at hand to connect a platform. */
import type { Platform } from '../../../features/destinations/api.ts';
import { fieldsOf } from './schema.ts';

/** The titles of the required fields; `API credentials` where there are several ways to sign in, so that none is required. */
export function neededFor({
  config_schema,
  credentials_schema,
}: Pick<Platform, 'config_schema' | 'credentials_schema'>): readonly string[] {
  const titles = (schema: Platform['config_schema']) =>
    fieldsOf(schema)
      .filter(({ required }) => required)
      .map(({ title }) => title);
  const access = titles(credentials_schema);
  const hasOthers = fieldsOf(credentials_schema).length > 0;
  return [...titles(config_schema), ...(access.length === 0 && hasOthers ? ['API credentials'] : access)];
}
