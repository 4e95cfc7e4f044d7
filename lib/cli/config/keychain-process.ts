/**
 * Uses one entry of the system’s keychain, in a process of its own: a call that waits for a locked keychain can’t be
 * ended otherwise. Arguments: `get`, `set`, or `delete`, and the account. The secret is on standard input or output.
 */
import { text } from 'node:stream/consumers';
import { Entry } from '@napi-rs/keyring';

const [operation, account = ''] = process.argv.slice(2);
// Without a Secret Service, the default on Linux is the kernel’s memory, which neither cron nor a reboot keeps.
const entry = new Entry('platform-devtools', account, { linux: { store: 'secret-service' } });
if (operation === 'set') entry.setPassword(await text(process.stdin));
else process.stdout.write(String((operation === 'get' ? entry.getPassword() : entry.deletePassword()) ?? ''));
