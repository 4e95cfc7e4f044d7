/** Chooses what runs the page’s pipeline. */
import type { JSX } from 'preact';
import type { Engine } from '../../../lib/extension/inspector/contract.ts';
import { ENGINE_NAMES, offersEngine } from '../../../lib/extension/panel/run/engine-choice.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';

const LABEL = 'Runs with';

export function EngineSelect({ panel: { engine, page } }: { panel: Panel }): JSX.Element | null {
  const chosen = engine.chosen.value;
  if (!offersEngine(page.state.value, chosen)) return null;
  return (
    <select
      class="input engine"
      name="engine"
      aria-label={LABEL}
      title={`${LABEL}: ${ENGINE_NAMES[chosen]}`}
      value={chosen}
      onChange={(event) => engine.choose(event.currentTarget.value as Engine)}
    >
      <optgroup label={LABEL}>
        {Object.entries(ENGINE_NAMES).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </optgroup>
    </select>
  );
}
