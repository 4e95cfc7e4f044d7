/** Styles that tell a chart's series apart: a palette color (`assets/tokens.css`) and a dash pattern. */
export interface SeriesStyle {
  /** Name of the CSS custom property. */
  color: string;
  /** Lengths of dashes and gaps in pixels; empty for a solid line. */
  dash: readonly number[];
}

/** In palette order. No two styles have both the same color and the same dash. */
const LOOKS: readonly SeriesStyle[] = [[], [7, 3], [2, 3], [9, 3, 2, 3], [], [7, 3], [2, 3], [9, 3, 2, 3]].map(
  (dash, index) => ({ color: `--series-${index + 1}`, dash }),
);

/** The style of all series beyond the palette. */
const REST: SeriesStyle = { color: '--muted', dash: [1, 4] };

export function styleOf(index: number): SeriesStyle {
  return LOOKS[index] ?? REST;
}
