/** Whether every byte is the same as the first. Compared by the machine's own means, which end at the first that differs: ordinary bytes cost nothing. */
export function isUniform(bytes: Buffer): boolean {
  return bytes.length > 1 && bytes.subarray(1).equals(bytes.subarray(0, -1));
}
