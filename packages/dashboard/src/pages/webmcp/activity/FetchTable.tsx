import type { HitClass } from '../../../api/types.ts';
import { VerdictMark } from '../../../features/visits/VerdictMark.tsx';
import { CLASS_NAMES } from '../../../format/names.ts';
import { Time } from '../../../parts/Time.tsx';
import type { AgentFetches } from '../types.ts';

export function FetchTable({ items }: { items: readonly AgentFetches[] }) {
  return (
    <div className="table-card">
      <table className="table fetch-table" aria-label="Agents">
        <thead>
          <tr>
            <th scope="col">Agent</th>
            <th scope="col">Class</th>
            <th scope="col">Identity</th>
            <th scope="col" className="cell-number">
              Fetches
            </th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ agent, class: hitClass, verified, fetches, last_at }) => (
            <tr key={`${agent} ${hitClass} ${verified}`}>
              <th scope="row" className="break">
                {agent === '' ? 'Others, unnamed' : agent}
              </th>
              <td>
                {CLASS_NAMES[hitClass as HitClass] ?? hitClass}
                {hitClass === 'sample' && ', estimated'}
              </td>
              <td>
                {hitClass === 'ai_bot' || hitClass === 'search_engine' ? (
                  <VerdictMark item={{ class: hitClass, verified, verdict_reason: '' }} />
                ) : (
                  '–'
                )}
              </td>
              <td className="cell-number number">{fetches.toLocaleString('en')}</td>
              <td>
                <Time value={last_at} form="ago" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
