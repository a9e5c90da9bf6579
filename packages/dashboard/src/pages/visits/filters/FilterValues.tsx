import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { reportQuery } from '../../../features/reports/api.ts';
import type { VisitFilterName } from '../../../features/visits/search.ts';
import { OptionSearch } from '../../../parts/search/OptionSearch.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { useSourceName } from '../../../parts/useSources.ts';
import { DEFINITIONS, type ListedFilter, valueText } from './definitions.ts';

export interface FilterValuesProps {
  propertyId: string;
  name: VisitFilterName;
  value: string | undefined;
  /** Period and all filters. */
  query: Readonly<Record<string, string>>;
  onChoose: (value: string) => void;
}

/** The choice of a filter's value: out of those that occur, or typed. */
export function FilterValues({ propertyId, name, value, query, onChoose }: FilterValuesProps) {
  const { label, values } = DEFINITIONS[name];
  if (values === 'typed') return <TypedValue name={name} value={value ?? ''} onChoose={onChoose} />;
  if (values === 'listed')
    return <ListedValues {...{ propertyId, value, query, onChoose }} name={name as ListedFilter} />;
  return (
    <OptionSearch
      label={label}
      placeholder={`${label} is…`}
      options={values.map(([one, text]) => ({ value: one, text }))}
      chosen={value}
      onChoose={(option) => onChoose(option.value)}
    />
  );
}

interface ListedValuesProps extends FilterValuesProps {
  name: ListedFilter;
}

/** The values that occur under the other filters, most visits first. */
function ListedValues({ propertyId, name, value, query, onChoose }: ListedValuesProps) {
  const sourceName = useSourceName();
  const { [name]: _own, ...others } = query;
  const { placeholderData: _kept, ...asked } = reportQuery(propertyId, 'visits/values', {
    ...others,
    of: name,
  });
  const { data, error, isPending, refetch } = useQuery({ ...asked, refetchInterval: false });
  const { label, first = [] } = DEFINITIONS[name];
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (isPending)
    return (
      <p className="option-note" role="status">
        Loading values…
      </p>
    );
  const options = [
    ...first.map(([one, text]) => ({ value: one, text })),
    ...data.values.map(({ value: one, hits }) => ({
      value: one,
      text: valueText(name, one, sourceName),
      figure: hits.toLocaleString('en'),
    })),
  ];
  return (
    <OptionSearch
      label={label}
      placeholder={`${label} is…`}
      options={options}
      unit="Visits"
      chosen={value}
      onChoose={(option) => onChoose(option.value)}
    />
  );
}

const HINTS: Readonly<Partial<Record<VisitFilterName, string>>> = {
  path: '/blog/',
  page: '/pricing',
  path_contains: 'robots',
  user_agent: 'Chrome/142',
};

function TypedValue({
  name,
  value,
  onChoose,
}: {
  name: VisitFilterName;
  value: string;
  onChoose: (value: string) => void;
}) {
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const { label, verb } = DEFINITIONS[name];
  const isPath = name === 'path' || name === 'page';
  return (
    <form
      className="typed-value"
      onSubmit={(event) => {
        event.preventDefault();
        const asked = text.trim();
        onChoose(isPath && asked !== '' && !asked.startsWith('/') ? `/${asked}` : asked);
      }}
    >
      <label>
        <span>
          {label} {verb}
        </span>
        <input
          ref={field}
          className="input mono"
          value={text}
          placeholder={HINTS[name]}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <button type="submit" className="button button-small">
        Apply
      </button>
    </form>
  );
}
