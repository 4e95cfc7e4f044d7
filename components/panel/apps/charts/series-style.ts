/** Owns how the series of a chart are told apart: a colour of the palette (`assets/tokens.css`) and, for those who see no colours, a dash. */
export interface SeriesStyle {
  /** Name of the colour's custom property. */
  color: string;
  /** Lengths of line and gap, in pixels; empty for a solid line. */
  dash: readonly number[];
}

/** In the palette's order; no two have both the same colour and the same dash. */
const LOOKS: readonly SeriesStyle[] = [[], [7, 3], [2, 3], [9, 3, 2, 3], [], [7, 3], [2, 3], [9, 3, 2, 3]].map(
  (dash, index) => ({ color: `--series-${index + 1}`, dash }),
);

/** What is left over has no colour of its own. */
const REST: SeriesStyle = { color: '--muted', dash: [1, 4] };

export function styleOf(index: number): SeriesStyle {
  return LOOKS[index] ?? REST;
}
