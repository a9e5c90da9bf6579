import type { ReactNode } from 'react';
import { PageHead } from '../page/PageHead.tsx';
import { SettingsIndex } from './SettingsIndex.tsx';
import './settings-frame.css';
import type { SettingsView } from './topics.ts';

interface SettingsFrameProps {
  view: SettingsView | 'sharing';
  /** The topic. */
  title: string;
  about: string;
  children: ReactNode;
}

/** The frame of every topic of the settings: the index at the left, above it on a narrow screen. */
export function SettingsFrame({ view, title, about, children }: SettingsFrameProps) {
  return (
    <>
      <PageHead title={title} tab={`${title} · Settings`} about={about} />
      <div className="settings">
        <SettingsIndex current={view} />
        {children}
      </div>
    </>
  );
}
