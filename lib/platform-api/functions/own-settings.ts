/** The settings of the local platform’s function packages, and which of them read the context. */
export const SETTING_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'any'] as const;
export type SettingType = (typeof SETTING_TYPES)[number];

/** As `Setting`, for packages that need no schemas. */
export type OwnSetting = {
  type: SettingType[];
  description: string;
  required: boolean;
  unless?: string;
  templates: boolean;
  expressions: boolean;
  minimum?: number;
  maximum?: number;
};
export type OwnSettings = Readonly<Record<string, OwnSetting>>;

type Options = Partial<Omit<OwnSetting, 'type' | 'description' | 'required'>>;

/* @__NO_SIDE_EFFECTS__ */
const required = (type: SettingType, description: string, options: Options = {}): OwnSetting => ({
  ...optional(type, description, options),
  required: true,
});
/* @__NO_SIDE_EFFECTS__ */
const optional = (type: SettingType | SettingType[], description: string, options: Options = {}): OwnSetting => ({
  type: [type].flat(),
  description,
  required: false,
  templates: false,
  expressions: false,
  ...options,
});

const templates = { templates: true };
/** The longest time that `setTimeout` accepts, in milliseconds. */
const LONGEST_WAIT = 2 ** 31 - 1;

/**
 * The local platform’s packages (decisions, "Settings of our function packages"). On other platforms, packages with
 * these names can have other settings.
 */
export const OWN_SETTINGS: Readonly<Record<string, OwnSettings>> = {
  'com.platform.function.fail': { message: required('string', 'Error message', templates) },
  'com.platform.function.http-request': {
    url: required('string', 'http or https URL, or a path on the platform', templates),
    method: optional('string', 'HTTP method, GET by default', templates),
    headers: optional('object', 'Object of strings', templates),
    body: optional('any', 'String, or any other value to send as JSON', templates),
  },
  'com.platform.function.if': {
    condition: required('string', 'Expression over the context', { expressions: true }),
  },
  'com.platform.function.read-datasource': {
    dataSourceId: required('integer', 'ID of the data source', { unless: 'dataSource' }),
    dataSource: optional(['string', 'integer'], 'Name or ID of the data source'),
    where: optional('object', 'Fields and their required values', templates),
    limit: optional('integer', 'Maximum number of entries, oldest first', { minimum: 0 }),
  },
  'com.platform.function.return-string': { message: required('string', 'String to return', templates) },
  'com.platform.function.send-email': {
    to: required('string', 'Email, or several separated by commas', templates),
    subject: required('string', 'Subject on a single line', templates),
    html: required('string', 'Body as HTML, in which filled-in values are escaped', templates),
  },
  'com.platform.function.send-notification': {
    title: required('string', 'Title on a single line', templates),
    message: required('string', 'Text of the notification', templates),
  },
  'com.platform.function.set-context': {
    assign: required('object', 'Names and expressions, evaluated in order', { expressions: true }),
  },
  'com.platform.function.wait': {
    ms: required('number', 'Time in milliseconds', { minimum: 0, maximum: LONGEST_WAIT }),
  },
  'com.platform.function.write-datasource': {
    dataSourceId: required('integer', 'ID of the data source'),
    entries: required('array', 'One object for each new entry', templates),
  },
  'com.example.function.check-address': { address: required('string', 'Email to check', templates) },
  'com.example.function.never-settles': {},
};
