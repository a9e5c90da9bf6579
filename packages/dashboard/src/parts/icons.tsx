/** Line icons, 16 × 16, in the colour of the text. Decorative unless they have a label. */
interface IconProps {
  label?: string;
}

function Icon({ label, path }: IconProps & { path: string }) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label, or hidden beside the text that names it
    <svg
      className="icon"
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path d={path} />
    </svg>
  );
}

export const IconLive = (props: IconProps) => <Icon {...props} path="M1.5 8.5h2.8l2-5.5 3.2 10 2-4.5h3" />;
export const IconSetup = (props: IconProps) => (
  <Icon {...props} path="M6 2v3M10 2v3M4 5h8v2.5a4 4 0 0 1-8 0zM8 11.5V14" />
);
export const IconKey = (props: IconProps) => (
  <Icon
    {...props}
    path="M10.5 2a3.5 3.5 0 1 0-3.2 4.9L6 8.2v1.6H4.4v1.6H2.8L2 12.2V14h2.4L9 9.2A3.5 3.5 0 0 0 10.5 2zM10.9 5.1h0"
  />
);
export const IconTools = (props: IconProps) => (
  <Icon
    {...props}
    path="M2.5 2.5h4.2v4.2H2.5zM9.3 9.3h4.2v4.2H9.3zM2.5 9.3h4.2v4.2H2.5zM11.4 2.2v4.8M9 4.6h4.8"
  />
);
export const IconConversions = (props: IconProps) => <Icon {...props} path="M2 2.5h12L9.5 8v4L6.5 13.5V8z" />;
export const IconScript = (props: IconProps) => (
  <Icon {...props} path="M5 4.5 1.5 8 5 11.5M11 4.5 14.5 8 11 11.5M9 3 7 13" />
);
export const IconWebhooks = (props: IconProps) => (
  <Icon {...props} path="M8 2v7M5 6.2 8 9.2l3-3M2 9.5v3a1 1 0 0 0 1 1h10a1 1 0 0 0 1-1v-3" />
);
/** Away from here, to a few places. */
export const IconDestinations = (props: IconProps) => (
  <Icon
    {...props}
    path="M2 8h4.5M6.5 8l4-4.5M6.5 8h4M6.5 8l4 4.5M10.5 3.5a1.5 1.5 0 1 0 3 0 1.5 1.5 0 0 0-3 0zM10.5 8a1.5 1.5 0 1 0 3 0 1.5 1.5 0 0 0-3 0zM10.5 12.5a1.5 1.5 0 1 0 3 0 1.5 1.5 0 0 0-3 0z"
  />
);
/** Lines of a list, each with its outcome. */
export const IconDeliveries = (props: IconProps) => (
  <Icon {...props} path="M2 4.2l1.4 1.4L6 3M8.5 4.5H14M2 10.7l1.4 1.4L6 9.5M8.5 11H14" />
);
export const IconSettings = (props: IconProps) => (
  <Icon
    {...props}
    path="M2 4.5h7M12.5 4.5H14M2 11.5h1.5M7 11.5h7M9 4.5a1.75 1.75 0 1 0 3.5 0 1.75 1.75 0 0 0-3.5 0zM3.5 11.5a1.75 1.75 0 1 0 3.5 0 1.75 1.75 0 0 0-3.5 0z"
  />
);
export const IconKeyboard = (props: IconProps) => (
  <Icon {...props} path="M1.5 4h13v8h-13zM4 6.5h0M6.7 6.5h0M9.3 6.5h0M12 6.5h0M4.5 9.5h7" />
);
export const IconSignOut = (props: IconProps) => (
  <Icon {...props} path="M6 2H3v12h3M10.5 11 13.5 8l-3-3M13.5 8H6.5" />
);
export const IconChevrons = (props: IconProps) => <Icon {...props} path="M5 6l3-3 3 3M5 10l3 3 3-3" />;
export const IconChevronLeft = (props: IconProps) => <Icon {...props} path="M10 3.5 5.5 8l4.5 4.5" />;
export const IconChevronRight = (props: IconProps) => <Icon {...props} path="M6 3.5 10.5 8 6 12.5" />;
export const IconChevronsLeft = (props: IconProps) => <Icon {...props} path="M8 4 4 8l4 4M12.5 4l-4 4 4 4" />;
export const IconChevronsRight = (props: IconProps) => <Icon {...props} path="M3.5 4l4 4-4 4M8 4l4 4-4 4" />;
export const IconChevronUp = (props: IconProps) => <Icon {...props} path="M4 9.8l4-4 4 4" />;
export const IconChevronDown = (props: IconProps) => <Icon {...props} path="M4 6.2l4 4 4-4" />;
export const IconSend = (props: IconProps) => (
  <Icon
    {...props}
    path="M8 10.5V2.5M4.8 5.4L8 2.2l3.2 3.2M3 8.5v4.2c0 .7.6 1.3 1.3 1.3h7.4c.7 0 1.3-.6 1.3-1.3V8.5"
  />
);
export const IconCheck = (props: IconProps) => <Icon {...props} path="M3 8.5l3.2 3.2L13 4.8" />;
export const IconCross = (props: IconProps) => <Icon {...props} path="M4 4l8 8M12 4l-8 8" />;
export const IconPlus = (props: IconProps) => <Icon {...props} path="M8 3v10M3 8h10" />;
export const IconCopy = (props: IconProps) => <Icon {...props} path="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />;
export const IconPause = (props: IconProps) => <Icon {...props} path="M5.5 3.5v9M10.5 3.5v9" />;
export const IconPlay = (props: IconProps) => <Icon {...props} path="M5 3.2v9.6L12.5 8z" />;
export const IconSearch = (props: IconProps) => (
  <Icon {...props} path="M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.4 10.4 13.5 13.5" />
);
export const IconFilter = (props: IconProps) => <Icon {...props} path="M2.5 4h11M4.5 8h7M6.5 12h3" />;
export const IconVisits = (props: IconProps) => (
  <Icon {...props} path="M2.5 13.5v-4M6.2 13.5v-8M9.8 13.5v-6M13.5 13.5v-11M2 2.5h5" />
);
export const IconColumns = (props: IconProps) => (
  <Icon {...props} path="M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10" />
);
export const IconDownload = (props: IconProps) => (
  <Icon {...props} path="M8 2.5v7.5M4.8 7 8 10.2 11.2 7M2.5 13.5h11" />
);
export const IconRefresh = (props: IconProps) => (
  <Icon {...props} path="M13 8a5 5 0 1 1-1.6-3.7M13.2 2.4v2.8h-2.8" />
);
export const IconTable = (props: IconProps) => (
  <Icon {...props} path="M2 3h12v10H2zM2 6.5h12M2 9.75h12M6.5 6.5V13" />
);
export const IconWarning = (props: IconProps) => (
  <Icon {...props} path="M8 2 14.5 13.5h-13zM8 6.5v3M8 11.6h0" />
);
export const IconInfo = (props: IconProps) => (
  <Icon {...props} path="M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 7.3v3.6M8 5h0" />
);
export const IconArrow = (props: IconProps) => <Icon {...props} path="M3 8h10M9 4l4 4-4 4" />;
export const IconOverview = (props: IconProps) => (
  <Icon {...props} path="M2 2.5h5v6H2zM9 2.5h5v3.5H9zM9 8.5h5v5H9zM2 11h5v2.5H2z" />
);
export const IconBots = (props: IconProps) => (
  <Icon {...props} path="M3 5.5h10v7H3zM8 5.5V3M6.5 2.5h3M6 8.5v1M10 8.5v1M1.5 8v2.5M14.5 8v2.5" />
);
export const IconFolder = (props: IconProps) => (
  <Icon {...props} path="M1.8 4v8.2h12.4V5.4H7.8L6.2 3.6H1.8z" />
);
export const IconPages = (props: IconProps) => (
  <Icon {...props} path="M4 1.8h5.5L12.5 5v9.2H4zM9.3 2v3.2h3M6 8.2h4.5M6 11h4.5" />
);
export const IconFailures = (props: IconProps) => (
  <Icon {...props} path="M5.2 2h5.6L14 5.2v5.6L10.8 14H5.2L2 10.8V5.2zM8 5v3.6M8 11h0" />
);
export const IconTrust = (props: IconProps) => (
  <Icon
    {...props}
    path="M8 1.8 13.2 4v4c0 3.2-2.3 5.3-5.2 6.2C5.1 13.3 2.8 11.2 2.8 8V4zM5.8 8l1.6 1.6 2.9-3.1"
  />
);
export const IconShare = (props: IconProps) => (
  <Icon {...props} path="M8 1.8a6.2 6.2 0 1 0 6.2 6.2H8zM10.3 1.9a6.2 6.2 0 0 1 3.8 3.8h-3.8z" />
);
/** Back here, from elsewhere. */
export const IconReferrals = (props: IconProps) => (
  <Icon {...props} path="M9.5 2.5h4v11h-4M2 8h8M7 4.8 10.2 8 7 11.2" />
);
export const IconCollectors = (props: IconProps) => (
  <Icon {...props} path="M2 3h12v4H2zM2 9h12v4H2zM4.5 5h0M4.5 11h0M8 5h3.5M8 11h3.5" />
);
export const IconMenu = (props: IconProps) => <Icon {...props} path="M2.5 4h11M2.5 8h11M2.5 12h11" />;
/** Back to the previous place. */
export const IconBack = (props: IconProps) => <Icon {...props} path="M13 8H3M7 4 3 8l4 4" />;
export const IconPerson = (props: IconProps) => (
  <Icon
    {...props}
    path="M8 2.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM2.5 13.8c.6-2.6 2.7-4 5.5-4s4.9 1.4 5.5 4"
  />
);
export const IconPeople = (props: IconProps) => (
  <Icon
    {...props}
    path="M6 2.8a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8zM1.5 13.2c.4-2.2 2.1-3.4 4.5-3.4s4.1 1.2 4.5 3.4M10.6 3.1a2.2 2.2 0 0 1 0 4.2M12.2 10c1.3.5 2.1 1.6 2.3 3.2"
  />
);
export const IconOrganization = (props: IconProps) => (
  <Icon {...props} path="M3 14V2.5h6.5V14M9.5 6H13v8M1.5 14h13M5.4 5.3h1.7M5.4 8h1.7M5.4 10.7h1.7" />
);
export const IconToken = (props: IconProps) => (
  <Icon {...props} path="M2 4h12v8H2zM4.8 8h0M7.3 8h0M9.8 8h1.6" />
);
export const IconAudit = (props: IconProps) => (
  <Icon {...props} path="M3.5 1.8h9v12.4h-9zM6 5h4M6 8h4M6 11h2" />
);
/** A bell. */
export const IconAlerts = (props: IconProps) => (
  <Icon
    {...props}
    path="M3 11.5h10c-1.2-1.2-1.5-2.4-1.5-5a3.5 3.5 0 0 0-7 0c0 2.6-.3 3.8-1.5 5zM6.6 13.8a1.6 1.6 0 0 0 2.8 0"
  />
);
/** An open book. */
export const IconBook = (props: IconProps) => (
  <Icon
    {...props}
    path="M8 4.2C6.6 3 4.8 2.6 2 2.6v9.6c2.8 0 4.6.4 6 1.6 1.4-1.2 3.2-1.6 6-1.6V2.6c-2.8 0-4.6.4-6 1.6zM8 4.2v9.4"
  />
);
