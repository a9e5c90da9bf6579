/** In the style of parts/icons.tsx; here because the first view needs none of these. */
export const IconMail = () => <Line path="M2 3.5h12v9H2zM2.5 4 8 8.6 13.5 4" />;
/** A channel of a chat. */
export const IconHash = () => <Line path="M6.4 2.5 5 13.5M11 2.5 9.6 13.5M2.8 5.8h11M2.2 10.2h11" />;
/** Open to everyone. */
export const IconGlobe = () => (
  <Line path="M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM1.8 8h12.4M8 1.8c3.6 3.6 3.6 8.8 0 12.4-3.6-3.6-3.6-8.8 0-12.4z" />
);
/** A link, as it is shared. */
export const IconLink = () => (
  <Line path="M6.6 9.4a2.8 2.8 0 0 0 4 0l2.2-2.2a2.8 2.8 0 0 0-4-4l-.8.8M9.4 6.6a2.8 2.8 0 0 0-4 0L3.2 8.8a2.8 2.8 0 0 0 4 4l.8-.8" />
);
/** Behind a password. */
export const IconLock = () => <Line path="M3.5 7.2h9v6.3h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2" />;

function Line({ path }: { path: string }) {
  return (
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
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}
