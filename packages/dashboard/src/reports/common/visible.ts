/** Marks that turn the direction of what follows, and others that nobody can see: `/\u202egpj.exe` would be read as `/exe.jpg`. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** What a stranger wrote, with what can't be seen written out: `⟨U+202E⟩`. */
export function visible(text: string): string {
  return text.replace(
    UNSEEN,
    (mark) => `⟨U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
