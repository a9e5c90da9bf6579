/** Failures that a person can end: printed as one sentence, without a stack. */
export class Fault extends Error {
  override name = 'Fault';
}

/** The command was called in a wrong way. */
export class Misuse extends Fault {
  override name = 'Misuse';
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
