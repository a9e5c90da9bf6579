/**
 * What of a file is prose. Everything else becomes blanks, so that each word keeps its place:
 * of code, comments and strings with a blank in them remain; of Markdown, what is neither fenced nor in backticks.
 */

const blanks = (text: string) => text.replace(/[^\n]/g, ' ');

/** A name in backticks is quoted, not said. An unpaired backtick quotes nothing. */
const withoutCode = (text: string) => text.replace(/`[^`\n]*`/g, blanks);

export function proseOfMarkdown(text: string): string {
  return withoutCode(
    text.replace(/^( *)(```|~~~)[\s\S]*?^\1\2 *$/gm, blanks).replace(/\]\([^)\n]*\)/g, blanks),
  );
}

/** After these a slash begins a regular expression; after anything else it divides. */
const BEFORE_EXPRESSION =
  /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|do|else|void|await|yield))\s*$/;

/** Of TypeScript and JavaScript; of TSX the text between tags too. */
export function proseOfCode(text: string, withTags = false): string {
  const out: string[] = [];
  let at = 0;
  const skip = (to: number) => {
    out.push(blanks(text.slice(at, to)));
    at = to;
  };
  const keep = (to: number) => {
    out.push(withoutCode(text.slice(at, to)));
    at = to;
  };
  /** The end of a string that begins here, behind its quote; a line break ends it too. */
  const endOfString = (from: number) => {
    const quote = text[from];
    let end = from + 1;
    while (end < text.length && text[end] !== quote && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1;
    return Math.min(end + 1, text.length);
  };
  const endOfExpression = (from: number) => {
    let end = from + 1;
    let inClass = false;
    while (end < text.length && text[end] !== '\n' && (inClass || text[end] !== '/')) {
      if (text[end] === '[') inClass = true;
      else if (text[end] === ']') inClass = false;
      end += text[end] === '\\' ? 2 : 1;
    }
    return Math.min(end + 1, text.length);
  };
  const template = () => {
    skip(at + 1);
    let from = at;
    const flush = () => {
      const words = text.slice(at, from);
      if (/\s/.test(words)) keep(from);
      else skip(from);
    };
    while (from < text.length && text[from] !== '`') {
      if (text.startsWith('${', from)) {
        flush();
        skip(at + 2);
        code('}');
        from = at;
      } else from += text[from] === '\\' ? 2 : 1;
    }
    from = Math.min(from, text.length);
    flush();
    if (at < text.length) skip(at + 1);
  };
  const code = (until: string | null) => {
    let depth = 0;
    let from = at;
    while (from < text.length) {
      const character = text[from];
      if (until !== null && character === until && depth === 0) {
        skip(from + 1);
        return;
      }
      if (character === '{') depth += 1;
      else if (character === '}') depth -= 1;
      if (text.startsWith('//', from)) {
        skip(from);
        const end = text.indexOf('\n', from);
        keep(end === -1 ? text.length : end);
        from = at;
      } else if (text.startsWith('/*', from)) {
        skip(from);
        const end = text.indexOf('*/', from + 2);
        const comment = text.slice(from, end === -1 ? text.length : end + 2);
        out.push(withoutCode(comment.replace(/^([ \t]*)\*(?!\/)/gm, '$1 ')));
        at += comment.length;
        from = at;
      } else if (character === "'" || character === '"') {
        skip(from);
        const end = endOfString(from);
        if (/\S\s+\S/.test(text.slice(from + 1, end - 1))) keep(end);
        else skip(end);
        from = at;
      } else if (character === '`') {
        skip(from);
        template();
        from = at;
      } else if (character === '/' && BEFORE_EXPRESSION.test(text.slice(Math.max(0, from - 12), from))) {
        from = endOfExpression(from);
      } else from += 1;
    }
    skip(from);
  };
  code(null);
  const prose = out.join('');
  if (!withTags) return prose;
  const tags = [...text.matchAll(/[>}]([^<>{}=;]*[a-z][^<>{}=;]*)(?=[<{])/gi)];
  const letters = [...prose];
  if (letters.length !== prose.length) return prose + tags.map(([, words]) => words).join('');
  for (const { index, 1: words = '' } of tags)
    for (let place = 0; place < words.length; place += 1) letters[index + 1 + place] = words[place] ?? ' ';
  return letters.join('');
}
