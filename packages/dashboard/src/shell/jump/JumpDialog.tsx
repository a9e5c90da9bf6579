import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { PAGES, PEOPLE_PAGES } from '../../features/page/pages.tsx';
import { useProperties, useProperty } from '../../features/property/useProperty.ts';
import { reportQuery } from '../../features/reports/api.ts';
import { useCarriedOver } from '../../features/reports/carried.ts';
import { may } from '../../features/session/may.ts';
import { useSession } from '../../features/session/useSession.ts';
import { periodOf } from '../../format/period.ts';
import { Dialog } from '../../parts/Dialog.tsx';
import { IconBots, IconOverview } from '../../parts/icons.tsx';
import { OptionSearch, type PictureOption } from '../../parts/search/OptionSearch.tsx';

export function JumpDialog({ onClose }: { onClose: () => void }) {
  const places = usePlaces();
  return (
    <Dialog title="Jump to" onClose={onClose}>
      <OptionSearch
        label="Places"
        placeholder="Page, property or bot…"
        options={places}
        onChoose={({ go }) => {
          onClose();
          go();
        }}
      />
    </Dialog>
  );
}

interface Place extends PictureOption {
  go(): void;
}

/** The places to jump to: pages, other properties, and the bots of the last 30 days. */
function usePlaces(): Place[] {
  const navigate = useNavigate();
  const session = useSession();
  const property = useProperty();
  const properties = useProperties();
  const carriedOver = useCarriedOver();
  const here = useRouterState({ select: ({ location }) => location.pathname.split('/')[3] });
  const page = PAGES.find(({ name }) => name === here)?.name ?? 'overview';
  const { from, to } = periodOf({}, Date.now(), property?.time_zone);
  const { data } = useQuery({
    ...reportQuery(property?.id ?? '', 'filters', { from, to }),
    enabled: property !== null,
  });
  const pages = PAGES.flatMap(({ name, label, icon }): Place[] =>
    property === null
      ? []
      : [
          {
            value: `page ${name}`,
            text: label,
            icon,
            go: () =>
              void navigate({
                to: `/p/$propertyId/${name}`,
                params: { propertyId: property.id },
                search: carriedOver(name),
              }),
          },
        ],
  );
  const others = properties
    .filter(({ id }) => id !== property?.id)
    .map(
      ({ id, name, domain }): Place => ({
        value: `property ${id}`,
        text: name,
        detail: domain,
        icon: <IconOverview />,
        go: () =>
          void navigate({
            to: `/p/$propertyId/${page}`,
            params: { propertyId: id },
            search: carriedOver(page, id),
          }),
      }),
    );
  const people = PEOPLE_PAGES.filter(({ permission }) => permission === null || may(session, permission)).map(
    ({ to: path, label, icon }): Place => ({
      value: path,
      text: label,
      icon,
      go: () => void navigate({ to: path }),
    }),
  );
  const bots = (data?.bots ?? []).flatMap(({ bot, vendor }): Place[] =>
    property === null
      ? []
      : [
          {
            value: `bot ${vendor} ${bot}`,
            text: bot,
            detail: vendor,
            icon: <IconBots />,
            go: () =>
              void navigate({
                to: '/p/$propertyId/bots',
                params: { propertyId: property.id },
                search: { ...carriedOver('bots'), bot },
              }),
          },
        ],
  );
  return [...pages, ...others, ...people, ...bots];
}
