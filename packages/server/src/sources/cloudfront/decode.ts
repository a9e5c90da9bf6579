/** Lines of CloudFront: tab-separated with the names that the address gives or a header line, or JSON with its own names. */
import { createLineParser, type LineParser } from '@ghostlight/core/log-formats';

/** What is read, in the fixed order in which CloudFront writes the fields that one chooses. */
export const DEFAULT_FIELDS = [
  ...['timestamp', 'c-ip', 'sc-status', 'sc-bytes', 'cs-method', 'cs-protocol', 'cs-uri-stem'],
  ...['x-edge-request-id', 'x-host-header', 'cs-user-agent', 'cs-referer', 'cs-uri-query', 'c-country'],
] as const;

const MAX_FIELDS = 200;
/** Distinct sets of names in the JSON lines of one request. */
const MAX_PARSERS = 8;

/** @param fields with commas between; null: those of the setup page */
export function cloudfrontParser(fields: string | null): LineParser {
  const named = fields === null ? [...DEFAULT_FIELDS] : fields.split(',').slice(0, MAX_FIELDS);
  const columns = createLineParser('cloudfront', { fields: named.map((name) => name.trim()) });
  const objects = new Map<string, LineParser>();
  const objectParser = (names: readonly string[]): LineParser => {
    const all = names.join('\t');
    let parser = objects.get(all);
    if (parser === undefined) {
      parser = createLineParser('cloudfront', { fields: names });
      if (objects.size < MAX_PARSERS) objects.set(all, parser);
    }
    return parser;
  };
  return {
    parseLine(line) {
      if (!line.startsWith('{')) return columns.parseLine(line);
      const members = membersOf(line);
      if (members === null) return { reject: 'other_format' };
      const row = members.map(([, value]) => value).join('\t');
      return objectParser(members.map(([name]) => name)).parseLine(row);
    },
    columns: () => columns.columns(),
  };
}

/** A JSON line has the values that a line of columns would have, each with its name. Null: it is none. */
function membersOf(line: string): [string, string][] | null {
  let object: unknown;
  try {
    object = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof object !== 'object' || object === null) return null;
  return Object.entries(object)
    .slice(0, MAX_FIELDS)
    .map(([name, value]) => [name === 'timestamp(ms)' ? 'timestamp' : name, cell(value)]);
}

function cell(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return text === '' ? '-' : text.replace(/[\t\n\r]/g, ' ');
}
