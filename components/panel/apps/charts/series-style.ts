/** How the series of a chart are distinguished: by a color of the palette (`assets/tokens.css`), and by a dash. */
export interface SeriesStyle {
  /** Name of the color's custom property. */
  color: string;
  /** Lengths of line and gap, in pixels; empty for a solid line. */
  dash: readonly number[];
}

/** In the palette's order. No two have the same color and dash. */
const LOOKS: readonly SeriesStyle[] = [[], [7, 3], [2, 3], [9, 3, 2, 3], [], [7, 3], [2, 3], [9, 3, 2, 3]].map(
  (dash, index) => ({ color: `--series-${index + 1}`, dash }),
);

/** The style of further series. */
const REST: SeriesStyle = { color: '--muted', dash: [1, 4] };

export function styleOf(index: number): SeriesStyle {
  return LOOKS[index] ?? REST;
}
