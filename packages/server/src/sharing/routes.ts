/** The routes of sharing: those of the management API, and those that anyone may call. */
import type { IncomingMessage } from 'node:http';
import type { Api, Clock } from '../common/index.ts';
import type { Properties } from '../properties/index.ts';
import { linkRoutes } from './link-routes.ts';
import { mailRoutes, unsubscribeRoutes } from './mails/mail-routes.ts';
import { openRoutes, pictureRoutes } from './public-routes.ts';
import type { Sharing } from './sharing.ts';

export interface SharingRoutesDeps {
  readonly sharing: Sharing;
  readonly properties: Pick<Properties, 'get'>;
  readonly appBaseUrl: () => string;
  readonly ipOf: (incoming: IncomingMessage | undefined) => string;
  readonly clock: Clock;
}

/** Below `/api/v1`, with a caller. */
export const sharingRoutes = ({ sharing, properties, appBaseUrl, clock }: SharingRoutesDeps): Api[] => [
  linkRoutes({ properties, links: sharing.links, appBaseUrl, clock }),
  mailRoutes({ properties, mails: sharing.mails }),
];

/** Without a caller: path → routes. */
export const openSharingRoutes = ({
  sharing: { access, picture, mails },
  properties,
  ipOf,
}: SharingRoutesDeps): { readonly path: string; readonly routes: Api }[] => {
  const deps = { properties, access, picture, ipOf };
  return [
    { path: '/api/v1', routes: openRoutes(deps) },
    { path: '/', routes: pictureRoutes(deps) },
    { path: '/', routes: unsubscribeRoutes({ mails }) },
  ];
};
