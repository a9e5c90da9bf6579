/** Edits of a TOML text that leave every other byte alone. The caller parses the outcome: what these can't read, that parse finds out. */

const HEADER = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/;

/** The text's lines with their line ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function keyPattern(key: string): RegExp {
  return new RegExp(`^(\\s*(?:${key}|"${key}"|'${key}')\\s*=\\s*)(.*?)(\\s*(?:#[^"']*)?)$`);
}

/** Sets a text value of the root table: in its place, or as the first line. */
export function setRootValue(text: string, key: string, value: string): string {
  const lines = linesOf(text);
  const pattern = keyPattern(key);
  const end = lines.findIndex((line) => HEADER.test(line.trimEnd()));
  const root = end === -1 ? lines : lines.slice(0, end);
  const at = root.findIndex((line) => pattern.test(line.trimEnd()));
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const literal = JSON.stringify(value);
  if (at === -1) return `${key} = ${literal}${lineEnd}${text}`;
  const [, before = '', , after = ''] = pattern.exec(lines[at]?.trimEnd() ?? '') ?? [];
  lines[at] = `${before}${literal}${after}${/\r?\n$/.exec(lines[at] ?? '')?.[0] ?? ''}`;
  return lines.join('');
}

/** Removes a one-line value or dotted key of the root table, or the table of that name with those below it. */
export function removeRootKey(text: string, key: string): string {
  let table = '';
  const kept = linesOf(text).filter((line) => {
    const header = HEADER.exec(line.trimEnd())?.[1];
    if (header !== undefined) table = header.replaceAll(/["'\s]/g, '');
    if (table === '') return !new RegExp(`^\\s*["']?${key}["']?\\s*[.=]`).test(line);
    return table !== key && !table.startsWith(`${key}.`);
  });
  return kept.join('');
}
