import { type ReactNode, useEffect } from 'react';
import { Logo } from '../../parts/Logo.tsx';

interface SessionFrameProps {
  title: string;
  /** In the browser's tab, where it differs. */
  tab?: string;
  line: ReactNode;
  children: ReactNode;
}

/** The stage of everybody who is not signed in: one lamp, one sentence, one form. */
export function SessionFrame({ title, tab = title, line, children }: SessionFrameProps) {
  useEffect(() => {
    document.title = `${tab} · Ghostlight`;
  }, [tab]);
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <Logo size={56} />
        <h1>{title}</h1>
        <p className="sign-in-line">{line}</p>
        {children}
      </div>
    </main>
  );
}
