import { Logo } from '../parts/Logo.tsx';

/** The mark of the product, at the head of the rail; a phone's bar has the room for what is open alone. */
export function RailBrand() {
  return (
    <p className="rail-brand">
      <Logo size={20} />
      Ghostlight
    </p>
  );
}
