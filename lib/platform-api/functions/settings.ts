/** Describes the settings of function packages, so that an editor can list, complete, and check them. */
import * as v from 'valibot';

const SETTING_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'any'] as const;

/** One setting. `type` is that of the value after {{expressions}} are filled in. */
export const Setting = v.looseObject({
  type: v.array(v.picklist(SETTING_TYPES)),
  description: v.string(),
  required: v.optional(v.boolean(), false),
  /** A required setting can be absent if this other one is set. */
  unless: v.optional(v.string()),
  /** Whether {{expressions}} in its strings are filled in from the context. */
  templates: v.optional(v.boolean(), false),
  /** Whether the string, or each value of the object, is an expression over the context. */
  expressions: v.optional(v.boolean(), false),
  minimum: v.optional(v.number()),
  maximum: v.optional(v.number()),
});
export type Setting = v.InferOutput<typeof Setting>;
export type SettingType = Setting['type'][number];

/** All settings of a package, by name. */
export const Settings = v.record(v.string(), Setting);
export type Settings = v.InferOutput<typeof Settings>;

type Options = Partial<Omit<Setting, 'type' | 'description' | 'required'>>;

/* @__NO_SIDE_EFFECTS__ */
const required = (type: SettingType, description: string, options: Options = {}): Setting => ({
  ...optional(type, description, options),
  required: true,
});
/* @__NO_SIDE_EFFECTS__ */
const optional = (type: SettingType | SettingType[], description: string, options: Options = {}): Setting => ({
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
export const OWN_SETTINGS: Readonly<Record<string, Settings>> = {
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
