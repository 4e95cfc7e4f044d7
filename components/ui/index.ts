/** Owns the door of the shared controls. */
export { Alert, Notice } from './alert.tsx';
export { Button } from './button.tsx';
export { Combobox } from './combobox.tsx';
export { Checkbox, Field, Select } from './field.tsx';
export { Badge, EmptyState, Meter } from './small.tsx';
export { Splitter } from './splitter.tsx';
export { Tabs } from './tabs.tsx';
