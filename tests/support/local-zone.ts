/** Makes this process’s browser one of a computer whose time zone it doesn’t know, as Chromium with `TZ=Foo/Bar`. */
import { vi } from 'vitest';
import { checkLocalZone } from '../../lib/shared/time-zone.ts';

const Real = Intl.DateTimeFormat;

/** @param name what the browser reports as its own zone. Chromium refuses `Etc/Unknown`, which it reports itself. */
export function setLocalZone(name: string): void {
  class DateTimeFormat extends Real {
    readonly isLocal: boolean;
    constructor(locale?: string, options: Intl.DateTimeFormatOptions = {}) {
      if (options.timeZone === 'Etc/Unknown') throw new RangeError('Invalid time zone specified: Etc/Unknown');
      super(locale, options);
      this.isLocal = options.timeZone === undefined;
    }
    override resolvedOptions(): Intl.ResolvedDateTimeFormatOptions {
      const options = super.resolvedOptions();
      return this.isLocal ? { ...options, timeZone: name } : options;
    }
  }
  vi.stubGlobal('Intl', Object.assign(Object.create(Intl), { DateTimeFormat }));
  checkLocalZone();
}

export function restoreLocalZone(): void {
  vi.unstubAllGlobals();
  checkLocalZone();
}
