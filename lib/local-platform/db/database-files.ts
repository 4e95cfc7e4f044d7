/**
 * The files of an embedded database. Notices when its write-ahead log can’t be written: Postgres would restart then, but
 * PGlite continues, and a later statement hangs.
 */
import { type PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Options = Parameters<NodeFS['init']>[1];
type Operation = (place: { path?: string }, ...rest: unknown[]) => unknown;
/** Emscripten’s file system. */
interface Files {
  FS: { getPath(node: object): string };
  NODEFS: { stream_ops: Record<'write', Operation>; node_ops: Record<'mknod', Operation> };
}

export interface DatabaseLog {
  /** Whether it couldn’t be written. No statement must be executed then. */
  isLost: boolean;
  /** Called once, inside of the statement that couldn’t be logged. */
  onLost: () => void;
}

export class DatabaseFiles extends NodeFS {
  readonly #log: DatabaseLog;

  /** @param folder is created */
  constructor(folder: string, log: DatabaseLog) {
    super(folder);
    this.#log = log;
  }

  override async init(pglite: PGlite, options: Options): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pglite, options);
    const watch = (module: unknown): void => this.#watch(module as Files);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), watch] } as Options };
  }

  #watch({ FS, NODEFS: { stream_ops: streams, node_ops: nodes } }: Files): void {
    const { write } = streams;
    const { mknod } = nodes;
    streams.write = (stream, ...rest) => this.#watched(stream.path ?? '', () => write(stream, ...rest));
    nodes.mknod = (parent, ...rest) => this.#watched(`${FS.getPath(parent)}/`, () => mknod(parent, ...rest));
  }

  #watched<T>(path: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (path.includes('/pg_wal/') && !this.#log.isLost) {
        this.#log.isLost = true;
        this.#log.onLost();
      }
      throw error;
    }
  }
}
