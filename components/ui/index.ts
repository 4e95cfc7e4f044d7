/** Owns the door of the controls that every surface has; those of forms are behind `field.tsx`. */
export { Alert, Notice } from './alert.tsx';
export { Button } from './button.tsx';
export { Combobox } from './combobox.tsx';
export { Badge, EmptyState, Meter } from './small.tsx';
export { Splitter } from './splitter.tsx';
export { Tabs } from './tabs.tsx';
