import { Link } from '@tanstack/react-router';
import { scaleLinear } from 'd3-scale';
import { Fragment, useId } from 'react';
import type { Property } from '../../../api/types.ts';
import { Term } from '../../../features/glossary/Term.tsx';
import { counted } from '../../../format/names.ts';
import { periodIn } from '../../../format/period.ts';
import { type Stage, turnsOf } from '../model/flow.ts';
import type { DeliverySearch } from '../search.ts';

const WIDTH = 1_000;
/** As high as it is drawn, so that its corners are round. */
const BAR = 20;
const CORNER = 4;
const STEP = 14;
/** The smallest width of a part, so that it stays visible. */
const LEAST = 3;

interface FlowProps {
  property: Property;
  stages: readonly Stage[];
  /** Those among the received. */
  refunds: number;
  search: DeliverySearch;
  destination: string;
}

/** A funnel of bars: the solid part continues, the light end does not, with the reasons beside it. */
export function Flow({ property, stages, refunds, search, destination }: FlowProps) {
  const x = scaleLinear([0, Math.max(1, ...stages.map(({ count }) => count))], [0, WIDTH]);
  const period = periodIn(search);
  return (
    <ol className="flow">
      {stages.map((stage, index) => (
        <Fragment key={stage.name}>
          {index > 0 && <Join width={x(Math.min(stage.count, stages[index - 1]?.count ?? 0))} />}
          <li className="flow-stage">
            <p className="flow-name">
              <strong>{index === 0 ? <Term name="received">{stage.name}</Term> : stage.name}</strong>
              <span className="number flow-count">{stage.count.toLocaleString('en')}</span>
              <span className="quiet number">
                {index === 0 && refunds > 0 && `with ${counted(refunds, 'refund')}`}
                {stage.share !== null && `${stage.share} of ${stages[index - 1]?.name.toLowerCase()}`}
                {stage.hasTwice && 'an order under two topics counts twice'}
              </span>
            </p>
            <BarOf stage={stage} x={x} />
            <ul className="flow-losses">
              {turnsOf(stage.losses).map(({ name, count, part, filter, turn }) => (
                <li key={name}>
                  <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
                    <rect data-part={part} data-turn={turn} width="8" height="8" rx="2" />
                  </svg>
                  <span className="number">{count.toLocaleString('en')}</span>
                  {filter === null ? (
                    <span>{name}</span>
                  ) : (
                    <Link
                      to="/p/$propertyId/deliveries"
                      params={{ propertyId: property.id }}
                      search={{ ...period, destination, ...filter }}
                    >
                      {name}
                    </Link>
                  )}
                </li>
              ))}
            </ul>
          </li>
        </Fragment>
      ))}
    </ol>
  );
}

function BarOf({ stage, x }: { stage: Stage; x: (count: number) => number }) {
  const clip = useId();
  const whole = stage.count === 0 ? 0 : Math.max(LEAST, x(stage.count));
  let left = x(stage.goesOn);
  return (
    <svg className="flow-bar" viewBox={`0 0 ${WIDTH} ${BAR}`} preserveAspectRatio="none" aria-hidden="true">
      <clipPath id={clip}>
        <rect width={whole} height={BAR} rx={CORNER} />
      </clipPath>
      <g clipPath={`url(#${clip})`}>
        <rect data-part={stage.part} width={stage.count === 0 ? 0 : Math.max(LEAST, left)} height={BAR} />
        {turnsOf(stage.losses).map(({ name, count, part, turn }) => {
          const width = Math.max(LEAST, x(count));
          const at = Math.min(left, WIDTH - width);
          left += width;
          return <rect key={name} data-part={part} data-turn={turn} x={at} width={width} height={BAR} />;
        })}
      </g>
    </svg>
  );
}

/** The connection to the next bar. */
function Join({ width }: { width: number }) {
  return (
    <li className="flow-join" aria-hidden="true">
      <svg viewBox={`0 0 ${WIDTH} ${STEP}`} preserveAspectRatio="none" aria-hidden="true">
        <rect width={width} height={STEP} />
      </svg>
    </li>
  );
}
