/** Shortens the name of a function package for display. */
import { truncate } from '../../../shared/format.ts';

/** A package's last part, `send-email` of `com.platform.function.send-email`. Other names stay, up to 120 characters. */
export function shortName(name: string): string {
  return /^[\w.-]+\.[\w-]+$/.test(name) ? name.slice(name.lastIndexOf('.') + 1) : truncate(name, 120);
}
