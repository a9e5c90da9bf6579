/**
 * How many uploads may run at once: of one key and of one organization, so that no sender takes all there is, and of all together. An
 * organization that has none running gets one even where the others have taken all, up to twice the total.
 */
export class UploadSlots {
  readonly #perKey: number;
  readonly #perOrganization: number;
  readonly #total: number;
  readonly #keys = new Map<string, number>();
  readonly #organizations = new Map<string, number>();
  #all = 0;

  constructor(limits: { perKey: number; perOrganization: number; total: number }) {
    this.#perKey = limits.perKey;
    this.#perOrganization = limits.perOrganization;
    this.#total = limits.total;
  }

  /** @returns what gives the slot back, or null when there is none */
  take(keyId: string, organizationId: string): (() => void) | null {
    const ofKey = this.#keys.get(keyId) ?? 0;
    const ofOrganization = this.#organizations.get(organizationId) ?? 0;
    if (ofKey >= this.#perKey || ofOrganization >= this.#perOrganization) return null;
    if (this.#all >= (ofOrganization === 0 ? this.#total * 2 : this.#total)) return null;
    this.#keys.set(keyId, ofKey + 1);
    this.#organizations.set(organizationId, ofOrganization + 1);
    this.#all += 1;
    return () => {
      this.#all -= 1;
      lower(this.#keys, keyId);
      lower(this.#organizations, organizationId);
    };
  }
}

function lower(counts: Map<string, number>, name: string): void {
  const left = (counts.get(name) ?? 1) - 1;
  if (left === 0) counts.delete(name);
  else counts.set(name, left);
}
