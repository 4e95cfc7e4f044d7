/** What the worker owes its senders, and its header rules, also on preview and live pages. */
import '../../../e2e/background/worker.test.ts';
