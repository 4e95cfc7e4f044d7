/** Defines how one of the platform’s function packages becomes V3 code. */
import { bracketed, type Doc, group } from '../print/doc.ts';
import { string } from '../print/text.ts';
import type { CodeScope } from '../code-scope.ts';
import type { MigrationOptions } from '../types.ts';

type Settings = Readonly<Record<string, unknown>>;

export interface PackageContext {
  settings: Settings;
  scope: CodeScope;
  options: MigrationOptions;
}

/** What a step does whose settings V2 refuses when it runs. */
export const typeError = (message: string): Doc =>
  group('throw ', bracketed('new TypeError(', [string(message)], ')'), ';');

export interface OwnPackage {
  /** Names that it writes into the context. */
  writes(settings: Settings): string[];
  /** Whether it returns a value, which `print` returns as `value`. */
  returns: boolean;
  /**
   * The statements of a call. `test` is a condition for the nested steps. `value` is what the step returns. `reason` is
   * what V3 can’t do in the same way.
   * @throws UntranslatableError with the reason
   */
  print(context: PackageContext): { statements?: Doc[]; test?: Doc; value?: Doc; reason?: string };
}
