/** Shortens a function package's name for display. */
import { truncate } from '../../../shared/format.ts';

/**
 * The last part of a package name: `send-email` for `com.platform.function.send-email`. Other names are only truncated.
 */
export function shortName(name: string): string {
  return /^[\w.-]+\.[\w-]+$/.test(name) ? name.slice(name.lastIndexOf('.') + 1) : truncate(name, 120);
}
