/** A pipeline with everything that makes code ugly becomes code that a person would write. */
import { expect, test } from 'vitest';
import type { PipelineStep } from '../../../lib/pipeline/index.ts';
import { migrated } from './run-both.ts';
import { each, own, say, set, when } from './steps.ts';

const range = (from: number, to: number, ...functions: PipelineStep[]): PipelineStep => ({
  type: 'loop',
  range: { from, to },
  functions,
});

/** The code of `execute` without its helpers. */
const body = (functions: PipelineStep[]): string => {
  const { code } = migrated({ name: 'nasty', functions });
  return code.slice(code.indexOf('{\n') + 2).split(/\n\n {2}\/\*\*|\n\}\n$/)[0] as string;
};

test('long texts, chains, and sums are broken where one reads them', () => {
  expect(
    body([
      set({
        total: '0',
        lines: `orders.filter(order => order.lines.length > 0 && order.total > minimum)
          .map(order => ({ id: order.id, label: order.customer.name.trim().toUpperCase() })).slice(0, 10)`,
        label: `'Orders of ' + customer.name + ' in ' + customer.address.city + ', with a text that is too long for a line'`,
        json: 'JSON.stringify({ a: Math.round(total) })',
      }),
      each(
        'orders',
        each('currentItem.lines', set({ total: 'total + currentItem.price * currentItem.count' })),
        when('currentItem.done', say('done')),
      ),
      range(0, 9, set({ last: 'currentItem * 2 + currentIndex' })),
      {
        type: 'if',
        conditions: [
          {
            condition: `status === 'open' && (priority > 3 || customer.roles.includes('admin')) &&
              !(customer.isBlocked || customer.isDeleted) && createdAt >= '2026-01-01'`,
            functions: [],
          },
        ],
        elseFunctions: [
          own('fail', { message: 'The order {{order.id}} of {{customer.name}} isn’t for {{team.name}}.' }),
        ],
      },
      own('send-email', {
        to: 'planning@northwind.example',
        subject: 'It is "done", and it\'s a subject that continues for more than eighty columns, but fits',
        html: `<h1>{{customer.name}}</h1>\n<p>{{total}} in total ({{Math.round(total / limit * 100)}}% of the limit).</p>\n<p>Bye</p>`,
      }),
      own('read-datasource', { dataSourceId: 502 }),
      say('{{json}}'),
    ]),
  ).toBe(
    `
  const data = { ...context.payload };
  // As in V2, a key of the payload with such a name comes first.
  const { JSON: json = JSON, Math = globalThis.Math } = data;
  let result;

  // /0
  data.total = 0;
  data.lines = data.orders
    .filter((order) => order.lines.length > 0 && order.total > data.minimum)
    .map((order) => ({ id: order.id, label: order.customer.name.trim().toUpperCase() }))
    .slice(0, 10);
  data.label =
    'Orders of ' +
    data.customer.name +
    ' in ' +
    data.customer.address.city +
    ', with a text that is too long for a line';
  data.json = json.stringify({ a: Math.round(data.total) });

  // /1
  for (const order of list(data, 'orders')) {
    // /1/functions/0
    for (const line of list(order, 'lines')) {
      // /1/functions/0/functions/0
      data.total += line.price * line.count;
    }
    // /1/functions/1
    if (order.done) {
      // /1/functions/1/conditions/0/functions/0
      result = 'done';
    }
  }

  // /2
  for (let number = 0; number <= 9; number++) {
    // /2/functions/0
    data.last = number * 2 + number;
  }

  // /3
  if (
    data.status === 'open' &&
    (data.priority > 3 || data.customer.roles.includes('admin')) &&
    !(data.customer.isBlocked || data.customer.isDeleted) &&
    data.createdAt >= '2026-01-01'
  ) {
    // Nothing to do.
  } else {
    // /3/elseFunctions/0
    throw new Error(
      \`The order \${text(data.order.id)} of \${text(data.customer.name)} isn’t for \${text(data.team.name)}.\`,
    );
  }

  // /4
  await Platform.Communicate.sendEmail({
    to: 'planning@northwind.example',
    subject: 'It is "done", and it\\'s a subject that continues for more than eighty columns, but fits',
    html:
      \`<h1>\${html(data.customer.name)}</h1>\\n\` +
      \`<p>\${data.total} in total (\${Math.round(data.total / data.limit * 100)}% of the limit).</p>\\n\` +
      '<p>Bye</p>',
  });

  // /5
  data.records = await readEntries(502);

  // /6
  result = data.json;

  return result;`.replace('\n', ''),
  );
});

test('code that needs no context has none', () => {
  expect(body([say('The data is “data”.')])).toBe("  // /0\n  return 'The data is “data”.';");
});
