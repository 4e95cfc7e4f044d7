/** Analytics sessions after a publish, in an app with 12,000 of them. */
import '../../platform/sessions.test.ts';
