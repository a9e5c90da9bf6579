/**
 * ISO 4217: the codes of money and of funds, with the number of digits of their minor unit, as published in 2026. Not `Intl`: CLDR gives other digits for IQD, HUF, LBP and a dozen more, and changes with the runtime. Metals, units
 * of account and test codes have no minor unit and pay for nothing.
 */
const CODES: readonly (readonly [exponent: number, codes: string])[] = [
  [0, ' BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF '],
  [
    2,
    ' AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP ' +
      'CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD ' +
      'KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR ' +
      'PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU ' +
      'UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG ',
  ],
  [3, ' BHD IQD JOD KWD LYD OMR TND '],
  [4, ' CLF UYW '],
  // Withdrawn between 2021 and 2026: refunds of orders in them still arrive.
  [2, ' ANG BGN CUC HRK SLL ZWL '],
];

/**
 * @param code upper-case
 * @returns digits of the minor unit (0 to 4), or null for what is no currency
 */
export function currencyExponent(code: string): number | null {
  if (!/^[A-Z]{3}$/.test(code)) return null;
  return CODES.find(([, codes]) => codes.includes(` ${code} `))?.[0] ?? null;
}
