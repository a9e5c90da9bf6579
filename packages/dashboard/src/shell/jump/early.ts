type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** What was typed before there was a field, after one more key. null: the key types nothing. */
export function earlyText(text: string, { key, ctrlKey, metaKey, altKey }: Key): string | null {
  if (ctrlKey || metaKey || altKey) return null;
  if (key === 'Backspace') return text.slice(0, -1);
  return [...key].length === 1 ? text + key : null;
}
