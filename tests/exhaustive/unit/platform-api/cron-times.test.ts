/** When schedules fire: all cases, at random. */
import '../../../unit/platform-api/cron-times.test.ts';
