/** Owns the wiring of the DevTools panel. */
import { render } from 'preact';
import { EmptyState } from '../../components/ui/index.ts';
import '../../assets/tokens.css';

const root = document.getElementById('panel');
if (root) render(<EmptyState title="Platform" />, root);
