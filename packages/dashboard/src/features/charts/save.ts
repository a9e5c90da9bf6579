/** Hands the reader a file that this page made. */
export function saveBlob(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has taken it by the next turn.
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
