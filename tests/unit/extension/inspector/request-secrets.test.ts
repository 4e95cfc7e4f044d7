// @vitest-environment happy-dom
/** Which secrets are masked in recorded requests: in their URLs, headers, and bodies. */
import { describe, expect, it } from 'vitest';
import { DetailBudget, maskedUrl } from '../../../../lib/extension/inspector/agent/network/request-details.ts';

const bodyOf = (text: string): string => new DetailBudget().body(text).text;
const headerOf = (name: string, value: string) => new DetailBudget().headers([[name, value]])?.[0]?.[1];

describe('a request’s URL', () => {
  it.each([
    ['https://api.example/a?user%5Bpassword%5D=hunter2&page=2', 'https://api.example/a?user%5Bpassword%5D=…[7]&page=2'],
    ['https://api.example/a?%74oken=hunter2', 'https://api.example/a?%74oken=…[7]'],
    ['https://api.example/a;jsessionid=hunter2', 'https://api.example/a;jsessionid=…[7]'],
    ['https://api.example/eyJhbGciOi.eyJhIjoxfQ.AAAAAAAAyz/a', 'https://api.example/ey…yz[32]/a'],
    ['https://api.example/a?b=eyJhbGciOi.eyJhIjoxfQ.AAAAAAAAyz', 'https://api.example/a?b=ey…yz[32]'],
    ['https://api.example?mail=ada@x.example', 'https://api.example?mail=ada@x.example'],
    ['/go?to=//a@b', '/go?to=//a@b'],
    ['https://api.example/a#access_token=hunter2&x=1', 'https://api.example/a#access_token=…[7]&x=1'],
    ['https://api.example/a?b=1#access_token=hunter2', 'https://api.example/a?b=1#access_token=…[7]'],
    ['https://ada:hunter2@api.example/a?b=1', 'https://api.example/a?b=1'],
    ['https://api.example/a?mail=ada@x.example&b=#c', 'https://api.example/a?mail=ada@x.example&b=#c'],
    ['/a/b@c?d', '/a/b@c?d'],
  ])('has no secrets: %s', (url, masked) => {
    expect(maskedUrl(url)).toBe(masked);
  });
});

describe('a request’s headers', () => {
  it('have no secrets under long names', () => {
    expect(headerOf(`X-${'long-'.repeat(20)}token`, 'hunter2')).toBe('…[7]');
  });
});

describe('a request’s body', () => {
  it.each([
    ['after a line break', '{"password":\n\t"hunter2","b":1}', '{"password":\n\t"…[7]","b":1}'],
    ['before the colon', '{"password"\t:"hunter2"}', '{"password"\t:"…[7]"}'],
    ['in a list', '{"password":["hunter2","hunter3"],"b":1}', '{"password":…[21],"b":1}'],
    ['in an object', '{"secret":{"a":"}hunter2"},"b":1}', '{"secret":…[16],"b":1}'],
    ['in a list that isn’t whole', '{"password":["hunter2', '{"password":…[9]'],
    [
      'in JSON text in JSON',
      '{"a":"{\\"password\\":\\"hunter2\\",\\"b\\":1}"}',
      '{"a":"{\\"password\\":\\"…[7]\\",\\"b\\":1}"}',
    ],
    [
      'with an escaped quote in JSON text in JSON',
      JSON.stringify({ a: JSON.stringify({ password: 'hun"ter2\\', b: 1 }) }),
      '{"a":"{\\"password\\":\\"…[15]\\",\\"b\\":1}"}',
    ],
    [
      'in JSON text in JSON text in JSON',
      JSON.stringify(JSON.stringify(JSON.stringify({ password: 'hunter2', b: 1 }))),
      JSON.stringify(JSON.stringify(JSON.stringify({ password: '…[7]', b: 1 }))),
    ],
    ['in a form', 'user[password]=hunter2&b=1', 'user[password]=…[7]&b=1'],
    ['in an encoded form', 'user%5Bpassword%5D=hunter2&b=1', 'user%5Bpassword%5D=…[7]&b=1'],
    ['in XML', '<a:Password>hunter2</a:Password><b>1</b>', '<a:Password>…[7]</a:Password><b>1</b>'],
    ['that looks masked', '{"password":"…hunter2[","b":1}', '{"password":"…[9]","b":1}'],
  ])('has no secret %s', (_where, text, masked) => {
    expect(bodyOf(text)).toBe(masked);
  });

  it.each(['{"a":"…[7]","token":"…[7]"}', '{"token":"ab…yz[1204]"}', 'token=…[7]&b=1'])(
    'isn’t masked twice: %s',
    (text) => {
      expect(bodyOf(text)).toBe(text);
    },
  );

  it('stays as it is without secrets', () => {
    const text = '{"state":{"b":[1]},"a":[1,{"b":"c"}],"user[name]":"x","d":"{\\"e\\":\\"f\\"}"} <a>1</a> \\" :[';
    expect(bodyOf(text)).toBe(text);
  });
});
