/** The search parameters of the SDK page: the form of installation and of consent. */
export const FORMS = ['script', 'module'] as const;
export type Form = (typeof FORMS)[number];

export const CONSENTS = ['asked', 'granted', 'tool'] as const;
export type ConsentWay = (typeof CONSENTS)[number];

export interface SdkSearch {
  form?: Form;
  consent?: ConsentWay;
}

/** Reads untrusted search parameters; defaults are left out. */
export function readSdkSearch(search: Record<string, unknown>): SdkSearch {
  const form = FORMS.slice(1).find((name) => name === search['form']);
  const consent = CONSENTS.slice(1).find((name) => name === search['consent']);
  return { ...(form === undefined ? {} : { form }), ...(consent === undefined ? {} : { consent }) };
}
