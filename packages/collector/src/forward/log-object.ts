/** One hit on the wire: the log object of docs/sending-data.md, in the order of its table. */
export interface LogObject {
  /** Epoch milliseconds of the request. */
  readonly timestamp: number;
  readonly worker_version: string;
  /** Lower-case UUID. */
  readonly attribution_id: string;
  readonly host: string;
  readonly method: string;
  readonly pathname: string;
  /** Empty for samples; campaign tags and click ids alone for AI referrals. */
  readonly query_params: Readonly<Record<string, string>>;
  /** null for AI bots and AI referrals; truncated for samples. */
  readonly ip: string | null;
  readonly user_agent: string;
  /** Whole for AI bots, origin alone for AI referrals, host alone for samples; may be empty. */
  readonly referer: string;
  readonly status: number;
  /** Body bytes: as on the wire where the origin said how many, else decoded and counted up to 1 MiB. */
  readonly bytes: number;
  /** Two upper-case letters, or empty. */
  readonly country: string;
  /** 0 when unknown. */
  readonly asn: number;
  /** On every AI bot, and on nothing else. */
  readonly verified?: boolean;
  /** Where `verified` is true. */
  readonly verified_by?: 'signature' | 'edge_cidr';
  /** On samples alone. */
  readonly sample_rate?: number;
  /** The edge's request id without the data centre; random where the edge gave none, so that a retry is known as one. */
  readonly ray_id: string;
  /** Directory URL of a verified signer. */
  readonly signature_agent?: string;
  /** `verified: false` says nothing: there was nothing to check against, or nothing fresh. */
  readonly unchecked?: true;
  /** Day of the address ranges that the verdict comes from (`YYYY-MM-DD`). */
  readonly ranges_as_of?: string;
}
