import Skeleton from '@mui/material/Skeleton';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { StoredValue } from '../../shared/browser/stored';

/** Place of a part that is not known yet, as high as it was the last time; nothing where it was not there. */
export function KeptPlace({ stored }: { stored: StoredValue<number> }) {
  const height = stored.read();
  return height === 0 ? null : <Skeleton variant="rounded" height={height} />;
}

/** Remembers the height of a part for `KeptPlace`. False = the part is not there. */
export function Measured({ stored, children }: { stored: StoredValue<number>; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => stored.write(Math.round(place.current?.offsetHeight ?? 0)), [stored]);
  return children === false ? null : <div ref={place}>{children}</div>;
}
