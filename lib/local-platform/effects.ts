/** What actions store: messages and entries of data sources. Requests to other hosts go through `network`. */

export type StoredEffect =
  | { what: 'message'; value: { kind: 'email' | 'notification' } & Record<string, string> }
  | { what: 'entry'; value: { dataSourceId: number; data: Record<string, unknown> } };

/** Called with each one when it’s stored, so in one order for all kinds. */
export type OnEffect = (effect: StoredEffect) => void;
