import { Logo } from '../parts/Logo.tsx';

export function PagePending() {
  return (
    <div className="centre" role="status" aria-label="Loading">
      <Logo breathing />
    </div>
  );
}
