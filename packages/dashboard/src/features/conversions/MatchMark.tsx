import { Mark, type Words } from '../../parts/Sign.tsx';

interface MatchMarkProps {
  item: Matched;
  /** Beside states of other kinds, a reason alone would not say that it is one of matching. */
  isAmongOthers?: boolean;
}

export function MatchMark({ item, isAmongOthers = false }: MatchMarkProps) {
  const words = matchWords(item);
  if (words === null) return <span className="quiet">–</span>;
  const { title } = words;
  const whole = isAmongOthers && !item.session_matched ? `Unmatched: ${lowerFirst(title)}` : title;
  return <Mark {...words} title={whole} />;
}

const lowerFirst = (words: string) => `${words.slice(0, 1).toLowerCase()}${words.slice(1)}`;

/** The outcome of matching, as a request and a conversion both report it. */
interface Matched {
  readonly topic: string;
  readonly session_matched: boolean;
  readonly match_reason: string | null;
}

const REASONS: Readonly<Record<string, Words>> = {
  matched: { tone: 'good', title: 'Matched' },
  inherited: { tone: 'good', title: 'Matched by order' },
  late: { tone: 'good', title: 'Matched late' },
  direct: { tone: 'good', title: 'Matched, direct visit' },
  // In amber: the sender or the SDK can be corrected.
  no_visitor_id: { tone: 'wait', sign: 'question', title: 'No visitor ID' },
  unknown_visitor: { tone: 'wait', sign: 'question', title: 'Unknown visitor' },
  outside_lookback: { tone: 'unknown', title: 'No visit in the attribution window' },
};

/** An unknown value, of a newer service, is shown as received. */
function asItCame(name: string): Words {
  return { tone: 'unknown', title: name.replaceAll('_', ' ') };
}

/** A refund needs no visitor: it belongs to what its order was attributed to. */
const REFUND_UNMATCHED: Words = { tone: 'wait', sign: 'question', title: 'No matched order' };

/** Null: there was nothing to match. */
export function matchWords({ topic, session_matched, match_reason }: Matched): Words | null {
  if (match_reason !== null && match_reason !== '') {
    if (topic === 'refund' && !session_matched) return REFUND_UNMATCHED;
    const words = REASONS[match_reason] ?? asItCame(match_reason);
    return REASONS[match_reason] === undefined && session_matched ? { ...words, tone: 'good' } : words;
  }
  return session_matched ? { tone: 'good', title: 'Matched' } : null;
}
