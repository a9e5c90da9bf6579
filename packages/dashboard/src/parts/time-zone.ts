/** The time zone of the property that is open: what its pages show is of its days and its clock, wherever the reader is. */
import { createContext, useContext } from 'react';

/** null: no property is open, and times are in the reader's own zone. */
export const TimeZoneContext = createContext<string | null>(null);

export const useTimeZone = (): string | null => useContext(TimeZoneContext);
