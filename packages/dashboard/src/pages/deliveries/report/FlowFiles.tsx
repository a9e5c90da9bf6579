import { useRef } from 'react';
import { ChartFiles } from '../../../features/charts/ChartFiles.tsx';
import { type Stage, tableOf, turnsOf } from '../model/flow.ts';

const WIDTH = 880;
const NAMES = 150;
const BARS = 470;
const ROW = 44;
const BAR = 20;

interface FlowFilesProps {
  title: string;
  stages: readonly Stage[];
}

/** The funnel as a picture and as a table. On the page it is HTML, which wraps; a picture needs one drawing. */
export function FlowFiles({ title, stages }: FlowFilesProps) {
  const box = useRef<HTMLDivElement>(null);
  const most = Math.max(1, ...stages.map(({ count }) => count));
  const x = (count: number) => (count / most) * BARS;
  return (
    <>
      <ChartFiles title={title} box={box} table={() => tableOf(stages)} />
      <div ref={box} className="flow-picture" aria-hidden="true">
        <svg width={WIDTH} height={stages.length * ROW} aria-hidden="true">
          {stages.map((stage, index) => {
            const losses = turnsOf(stage.losses);
            let left = x(stage.goesOn);
            const lost = losses.map(({ name, count, part, turn }) => {
              const at = left;
              left += x(count);
              return (
                <rect
                  key={name}
                  data-part={part}
                  data-turn={turn}
                  x={NAMES + at}
                  width={x(count)}
                  height={BAR}
                />
              );
            });
            return (
              <g key={stage.name} transform={`translate(0 ${index * ROW})`}>
                <text y={14}>{`${stage.name} ${stage.count.toLocaleString('en')}`}</text>
                <text y={30} className="quiet">
                  {stage.share ?? ''}
                </text>
                <rect data-part={stage.part} x={NAMES} width={x(stage.goesOn)} height={BAR} />
                {lost}
                <text x={NAMES + BARS + 16} y={14} className="quiet">
                  {losses.map(({ name, count }) => `${count.toLocaleString('en')} ${name}`).join(', ')}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
    </>
  );
}
