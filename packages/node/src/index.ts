/** The package's door. */
import type { Ghostlight, GhostlightOptions } from './api.ts';
import { createGhostlight } from './ghostlight.ts';

export { VERSION } from './version.ts';

/** Reports the AI visits of an application. Never throws; with options that can't be used it says so and reports nothing. */
export const ghostlight = (options: GhostlightOptions): Ghostlight => createGhostlight(options);
