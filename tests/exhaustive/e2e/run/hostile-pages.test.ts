/** Every page that attacks the extension. */
import '../../../e2e/run/hostile-pages.test.ts';
