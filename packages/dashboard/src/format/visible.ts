/** Text that strangers wrote (paths, hosts, versions), as it can be read and can deceive no reader. */

/** Marks that turn the direction of what follows, and others that can't be seen: `/\u202egpj.exe` would be read as `/exe.jpg`. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** What shapes its neighbours instead: the joiner within an emoji, the tags of a regional flag. */
const EMOJI =
  /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)*(?:\u200d\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)*|[\u{e0020}-\u{e007e}]+\u{e007f})+/gu;
/** Encoded characters beyond ASCII, each whole: `%20`, `%2F` and `%25` mean something else than the character, and stay. */
const ENCODED =
  /%C[2-9A-F]%[89AB][\dA-F]|%D[\dA-F]%[89AB][\dA-F]|%E[\dA-F](?:%[89AB][\dA-F]){2}|%F[0-4](?:%[89AB][\dA-F]){3}/gi;

/** With what can't be seen written out: `⟨U+202E⟩`. */
export function visible(text: string): string {
  let seen = '';
  let from = 0;
  for (const { 0: emoji, index } of text.matchAll(EMOJI)) {
    seen += writtenOut(text.slice(from, index)) + emoji;
    from = index + emoji.length;
  }
  return seen + writtenOut(text.slice(from));
}

/** A path as people write it: `/m%C3%BCnchen` is `/münchen`. Bytes that are no UTF-8, such as `%E0` alone, stay as they came. */
export function readablePath(path: string): string {
  return visible(path.replace(ENCODED, decoded));
}

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    // Of the right length and still no character: a surrogate, or longer than it has to be.
    return encoded;
  }
}

const writtenOut = (text: string): string =>
  text.replace(
    UNSEEN,
    (mark) => `⟨U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );

/** One word of a POSIX shell, whatever is in it. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
