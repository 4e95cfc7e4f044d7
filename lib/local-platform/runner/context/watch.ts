/** Lets the recording of a run see its console and its requests. */

export interface RunWatch {
  line(level: string, values: readonly unknown[]): void;
  requestStarted(id: number, request: { method: string; url: string; headers: [string, string][] }): void;
  requestEnded(id: number, end: { status?: number; headers?: [string, string][]; error?: string }): void;
}

/** `current` is null until a run is recorded. */
export interface Watched {
  current: RunWatch | null;
}
