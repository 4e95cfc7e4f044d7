/** A switch-over that is interrupted at each operation, in every way. */
import '../../../../unit/migrate/switch-over/switch-over.test.ts';
