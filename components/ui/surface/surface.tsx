/** The frame of a surface, such as the popup: handles failing views, held and composed keys, and changes of the time zone. */
import { signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import { guardKeys } from '../../../lib/shared/keys.ts';
import { checkLocalZone, trackLocalZone } from '../../../lib/shared/time-zone.ts';
import { Boundary, SurfaceContext, type SurfaceFacts } from './boundary.tsx';
import './visible-text.ts';

/** Milliseconds between checks. Browsers don’t tell pages that the time zone has changed. */
const ZONE_INTERVAL = 30_000;

const localZone = signal(checkLocalZone());
// A view that formats a time in the browser’s zone is rendered again when the zone changes.
trackLocalZone(() => void localZone.value);

const checkZone = (): void => {
  localZone.value = checkLocalZone();
};

interface SurfaceProps {
  name: SurfaceFacts['name'];
  done?: SurfaceFacts['done'];
  children: ComponentChildren;
}

export function Surface({ name, done = () => '', children }: SurfaceProps): JSX.Element {
  useLayoutEffect(() => guardKeys(window), []);
  useEffect(() => {
    const timer = setInterval(checkZone, ZONE_INTERVAL);
    window.addEventListener('focus', checkZone);
    document.addEventListener('visibilitychange', checkZone);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', checkZone);
      document.removeEventListener('visibilitychange', checkZone);
    };
  }, []);
  const facts = useMemo(() => ({ name, done }), [name, done]);
  return (
    <SurfaceContext.Provider value={facts}>
      <Boundary>{children}</Boundary>
    </SurfaceContext.Provider>
  );
}
