/**
 * Where silence is no consent: the European Economic Area, the United Kingdom and Switzerland. By country, and by the time zone of a
 * browser, the only thing that an event tells about where it comes from.
 */

/** Zones by country, as the IANA time zone database lists them (zone.tab and its older names). Overseas parts of the EU are named. */
const ZONES: Readonly<Record<string, readonly string[]>> = {
  AT: ['Europe/Vienna'],
  AX: ['Europe/Mariehamn'],
  BE: ['Europe/Brussels'],
  BG: ['Europe/Sofia'],
  CH: ['Europe/Zurich'],
  CY: ['Asia/Nicosia', 'Asia/Famagusta', 'Europe/Nicosia'],
  CZ: ['Europe/Prague'],
  DE: ['Europe/Berlin', 'Europe/Busingen'],
  DK: ['Europe/Copenhagen'],
  EE: ['Europe/Tallinn'],
  ES: ['Europe/Madrid', 'Africa/Ceuta', 'Atlantic/Canary'],
  FI: ['Europe/Helsinki'],
  FR: ['Europe/Paris'],
  GB: ['Europe/London', 'Europe/Belfast', 'GB', 'GB-Eire'],
  GF: ['America/Cayenne'],
  GP: ['America/Guadeloupe'],
  GR: ['Europe/Athens'],
  HR: ['Europe/Zagreb'],
  HU: ['Europe/Budapest'],
  IE: ['Europe/Dublin', 'Eire'],
  IS: ['Atlantic/Reykjavik', 'Iceland'],
  IT: ['Europe/Rome'],
  LI: ['Europe/Vaduz'],
  LT: ['Europe/Vilnius'],
  LU: ['Europe/Luxembourg'],
  LV: ['Europe/Riga'],
  MF: ['America/Marigot'],
  MQ: ['America/Martinique'],
  MT: ['Europe/Malta'],
  NL: ['Europe/Amsterdam'],
  NO: ['Europe/Oslo'],
  PL: ['Europe/Warsaw', 'Poland'],
  PT: ['Europe/Lisbon', 'Atlantic/Azores', 'Atlantic/Madeira', 'Portugal'],
  RE: ['Indian/Reunion'],
  RO: ['Europe/Bucharest'],
  SE: ['Europe/Stockholm'],
  SI: ['Europe/Ljubljana'],
  SK: ['Europe/Bratislava'],
  YT: ['Indian/Mayotte'],
  /** Zones of no country, all of them European. */
  EU: ['CET', 'EET', 'MET', 'WET'],
};

const BY_ZONE: ReadonlyMap<string, string> = new Map(
  Object.entries(ZONES).flatMap(([country, zones]) => zones.map((zone) => [zone.toLowerCase(), country])),
);

/** @param country ISO 3166-1 alpha-2, or `EU`, in any letter case; `UK` as it is often written */
export function isConsentRegion(country: string): boolean {
  const code = country.toUpperCase();
  return code === 'UK' || Object.hasOwn(ZONES, code);
}

/** @returns the country, or `EU` for a zone of several; null elsewhere, and for what is no zone */
export const consentRegionOfZone = (zone: string): string | null => BY_ZONE.get(zone.toLowerCase()) ?? null;
