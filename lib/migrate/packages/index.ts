/** The platform’s function packages, each with one entry that says what becomes of it in V3. */
import { fail, ifPackage, returnString, setContext, wait } from './context.ts';
import { httpRequest, readDataSource, sendEmail, sendNotification, writeDataSource } from './platform.ts';
import type { OwnPackage } from './types.ts';

export const OWN_PACKAGES: ReadonlyMap<string, OwnPackage> = new Map([
  ['com.platform.function.fail', fail],
  ['com.platform.function.http-request', httpRequest],
  ['com.platform.function.if', ifPackage],
  ['com.platform.function.read-datasource', readDataSource],
  ['com.platform.function.return-string', returnString],
  ['com.platform.function.send-email', sendEmail],
  ['com.platform.function.send-notification', sendNotification],
  ['com.platform.function.set-context', setContext],
  ['com.platform.function.wait', wait],
  ['com.platform.function.write-datasource', writeDataSource],
]);
