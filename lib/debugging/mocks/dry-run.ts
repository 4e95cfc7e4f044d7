/** Defines the dry run: mocks for the platform’s packages that send or change something, and for those that are marked. */
import type { RecordedChange } from '../recording/context-changes.ts';
import type { Mock } from './types.ts';

/** The packages that send something, or change data, outside of the page. */
export const OUTGOING_PACKAGES: readonly string[] = [
  'com.platform.function.send-email',
  'com.platform.function.send-notification',
  'com.platform.function.http-request',
  'com.platform.function.write-datasource',
];

/** The platform’s packages that change nothing outside of the page. */
export const STAYING_PACKAGES: ReadonlySet<string> = new Set(
  ['return-string', 'set-context', 'wait', 'fail', 'if', 'read-datasource'].map(
    (name) => `com.platform.function.${name}`,
  ),
);

/** What the steps after a request read. */
const CHANGES: Readonly<Record<string, RecordedChange[]>> = {
  'com.platform.function.http-request': [['/response', { status: 200, headers: {}, body: {} }]],
};

/** Mocks that complete without a value. @param packages other packages that the user has marked */
export function dryRunMocks(packages: readonly string[] = []): Mock[] {
  return [...new Set([...OUTGOING_PACKAGES, ...packages])].map((name) => {
    const changes = Object.hasOwn(CHANGES, name) ? CHANGES[name] : undefined;
    return { target: { package: name }, outcome: {}, ...(changes && { changes: structuredClone(changes) }) };
  });
}
