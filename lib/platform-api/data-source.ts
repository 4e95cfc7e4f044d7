/** Data sources. Functions read and write their entries (decisions, "Platform endpoints"). */
import * as v from 'valibot';

const Id = v.pipe(v.number(), v.integer());

/** A data source, without its entries. */
export const DataSource = v.looseObject({ id: Id, name: v.string(), columns: v.nullish(v.array(v.string()), []) });
export type DataSource = v.InferOutput<typeof DataSource>;
