/** The controls that every surface uses. Those of forms are in `field.tsx`. */
export { Alert, Notice } from './alert.tsx';
export { Button } from './button.tsx';
export { Combobox } from './combobox.tsx';
export { Badge, EmptyState, Meter } from './small.tsx';
export { Splitter } from './splitter.tsx';
export { Tabs } from './tabs.tsx';
