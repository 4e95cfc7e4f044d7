/** Packages that leave the action: data sources, emails, notifications, and requests. */
import { call as printCall, group, type Doc } from '../print/doc.ts';
import { printFilled, printString } from '../print/filled.ts';
import * as literals from '../print/literals.ts';
import { UntranslatableError } from '../print/untranslatable.ts';
import { type OwnPackage, type PackageContext, typeError } from './types.ts';

const call = (name: string, args: readonly Doc[]): Doc => [printCall(name, args), ';'];

/** An object with these settings, each of which must be a string. */
function strings(name: string, keys: readonly string[], { settings, scope }: PackageContext): Doc {
  return literals.object(
    keys.map((key) => [key, printString(settings[key], scope, [name, key], key === 'html' ? 'html' : undefined)]),
  );
}

export const sendEmail: OwnPackage = {
  writes: () => [],
  returns: false,
  print: (context) => ({
    statements: [
      ['await ', call('Platform.Communicate.sendEmail', [strings('send-email', ['to', 'subject', 'html'], context)])],
    ],
  }),
};

export const sendNotification: OwnPackage = {
  writes: () => [],
  returns: false,
  print: (context) => ({
    statements: [
      ['await ', call('Platform.Notifications.send', [strings('send-notification', ['title', 'message'], context)])],
    ],
  }),
};

/** V3 connects to a data source by its ID only. */
function dataSourceId({ settings, options }: PackageContext): number | null {
  const { dataSourceId, dataSource } = settings;
  const id = dataSourceId ?? dataSource;
  if (typeof id !== 'string') return Number.isInteger(id) ? (id as number) : null;
  const found = options.dataSources?.get(id);
  if (found === undefined)
    throw new UntranslatableError(`V3 needs the ID of the data source ${JSON.stringify(id)}, which isn’t known here.`);
  return found;
}

export const readDataSource: OwnPackage = {
  writes: () => ['records'],
  returns: false,
  print(context) {
    const { settings, scope } = context;
    const id = dataSourceId(context);
    if (id === null) {
      const message = 'read-datasource: set "dataSourceId" to an integer, or "dataSource" to a name or an ID.';
      return { statements: [typeError(message)] };
    }
    const query: [string, Doc][] = [];
    if (settings.where !== undefined) query.push(['where', printFilled(settings.where, scope).doc]);
    if (settings.limit !== undefined) query.push(['limit', literals.value(settings.limit) ?? 'undefined']);
    scope.use('readEntries');
    const args = query.length === 0 ? [String(id)] : [String(id), literals.object(query)];
    scope.know('records', 'array');
    return { statements: [group('data.records = await ', call('readEntries', args))] };
  },
};

const ONE_BY_ONE = 'V2 adds all entries or none. V3 adds one after another, so after an error some can be there.';

export const writeDataSource: OwnPackage = {
  writes: () => [],
  returns: false,
  print({ settings: { dataSourceId, entries }, scope }) {
    if (!Number.isInteger(dataSourceId))
      return { statements: [typeError('write-datasource: the setting "dataSourceId" must be an integer.')] };
    scope.use('insertEntries');
    const insert: Doc = ['await ', call('insertEntries', [String(dataSourceId), printFilled(entries, scope).doc])];
    const isOne = Array.isArray(entries) && entries.length <= 1;
    return { statements: [insert], ...(!isOne && { reason: ONE_BY_ONE }) };
  },
};

export const httpRequest: OwnPackage = {
  writes: () => ['response'],
  returns: false,
  print({ settings, scope }) {
    const { url } = settings;
    if (typeof url !== 'string')
      return { statements: [typeError('http-request: the setting "url" must be a string.')] };
    if (!/^https?:\/\//i.test(url))
      throw new UntranslatableError('V3 has no base URL, so the URL has to begin with https:// or http://.');
    scope.use('httpRequest');
    const keys = ['url', 'method', 'headers', 'body'].filter((key) => settings[key] !== undefined);
    const given = literals.object(keys.map((key) => [key, printFilled(settings[key], scope).doc]));
    scope.know('response', 'object');
    return { statements: [group('data.response = await ', call('httpRequest', [given]))] };
  },
};
