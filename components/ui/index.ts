/** Controls shared by every surface. Form controls are in `field.tsx`. */
export { Alert, ErrorCode, Notice } from './alert.tsx';
export { Boundary } from './surface/boundary.tsx';
export { Button } from './button.tsx';
export { Combobox } from './combobox.tsx';
export { Badge, BadgeButton, DateTime, EmptyState, Meter } from './small.tsx';
export { Splitter } from './splitter.tsx';
export { Surface } from './surface/surface.tsx';
export { Tabs } from './tabs.tsx';
