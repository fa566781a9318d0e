// What an attacker, a broken program or a cat on the keyboard may send, as fast-check arbitraries.
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'

const nasty = [
  "'; drop table purchases; --",
  "' or '1'='1",
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '../../../../etc/passwd',
  '..\\..\\secret',
  'a\r\nX-Injected: yes',
  'a\nBcc: everyone@example.com',
  '\u202Egpj.exe',
  'a\u200Bb\uFEFF\u2028\u2029',
  '\uD800',
  'x\uDC00y',
  'a\0b',
  '\uFFFE\uFFFF',
  '𝅘𝅥𝅮'.repeat(80),
  'e\u0301\u0327'.repeat(300),
  '👩‍👩‍👧‍👦',
  '__proto__',
  'constructor',
  '${7*7}{{7*7}}',
  '%00%0d%0a',
  '',
  ' ',
  'true',
  'x'.repeat(5_000),
]

export const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...nasty),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
)

const hostileNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 2 ** 53, Number.MAX_VALUE, Number.MIN_VALUE, 1e-320),
  fc.double(),
)

const hostileValue: Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumber,
  fc.boolean(),
  fc.constantFrom(null, [], {}, [[]], ['a', 'b'], { a: { b: null } }),
  fc.jsonValue({ maxDepth: 4 }),
)

const depth = 10_000
const notQuiteJson = [
  '',
  ' ',
  '{',
  '"',
  '[1,2',
  '{"a":1,}',
  "{'a':1}",
  'undefined',
  'NaN',
  '{"a":1e999}',
  '\uFEFF{}',
  '{}\0',
  '{"a":"\\ud800"}',
  '{"__proto__":{"is_admin":true}}',
  `${'['.repeat(depth)}${']'.repeat(depth)}`,
  `${'{"a":'.repeat(depth / 2)}1${'}'.repeat(depth / 2)}`,
  '['.repeat(depth),
  `"${'x'.repeat(70_000)}"`,
  `{"a":"${'\\u0000'.repeat(12_000)}"}`,
]

/** A body that is what is asked for, nearly so, or nothing like it. */
export function hostileBody(wanted: Arbitrary<object>): Arbitrary<string | Buffer> {
  const spoilt = fc.tuple(wanted, fc.nat(), hostileValue).map(([body, at, value]) => {
    const names = Object.keys(body)
    return changed(body, names[at % names.length] ?? 'a', value)
  })
  const extended = fc.tuple(wanted, hostileText, hostileValue).map((change) => changed(...change))
  const lacking = wanted.map((body) => Object.fromEntries(Object.entries(body).slice(1)))
  const text = (body: Arbitrary<unknown>) => body.map((value) => JSON.stringify(value))
  const truncated = fc.tuple(text(wanted), fc.nat()).map(([json, at]) => json.slice(0, at % json.length))
  const doubled = fc
    .tuple(text(wanted), text(spoilt))
    .map(([body, other]) => `${body.slice(0, -1)},${other.slice(1)}`)
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))
  return fc.oneof(
    { weight: 6, arbitrary: text(wanted) },
    { weight: 6, arbitrary: text(spoilt) },
    { weight: 1, arbitrary: text(fc.oneof(extended, lacking, hostileValue)) },
    { weight: 1, arbitrary: fc.oneof(truncated, doubled, bytes) },
    { weight: 1, arbitrary: fc.constantFrom(...notQuiteJson) },
  )
}

function changed(body: object, name: string, value: unknown): object {
  return { ...body, [name]: value }
}

const json = 'application/json'
export const contentType: Arbitrary<string | undefined> = fc.oneof(
  { weight: 19, arbitrary: fc.constant(json) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      undefined,
      '',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      `${json}; charset=utf-16`,
      `${json}-patch+json`,
      `${json};;;`,
      'APPLICATION/JSON',
      'application/problem+json',
    ),
  },
)

/** Anything that fits into a header's line: what does not is refused by every HTTP parser. */
export const headerText: Arbitrary<string> = fc.oneof(
  hostileText.map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 4_000)),
  fc.constantFrom(
    'bytes=0-',
    'bytes=-1',
    `bytes=${'0-1,'.repeat(500)}`,
    'bytes=9999999999999999999-',
    '*',
    'W/""',
  ),
)

/** One segment of a path, as it goes over the wire. */
export const pathSegment: Arbitrary<string> = fc.oneof(
  hostileText.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 4_000)),
  fc.constantFrom(
    '%',
    '%zz',
    '%ff%fe',
    '%00',
    '..',
    '%2e%2e',
    '..%2f..%2fetc',
    '*',
    ':id',
    '{id}',
    '~',
    '%u0041',
  ),
)

const cursorOf = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url')
const someId = '01890000-0000-7000-8000-000000000000'

/** Cursors that no page has given, as they stand in an address. */
export const tamperedCursors = [
  'x',
  '%00',
  '!!!',
  ...[null, [], {}, [1, someId], ['2026-01-01 00:00:00+00', 'a b'], ['2026-01-01 00:00:00+00', '\0']].map(
    cursorOf,
  ),
  ...[
    '',
    'x',
    'now',
    '\0',
    '\ud800',
    '0000-01-01 00:00:00+00',
    '2026-02-31 00:00:00+00',
    '2026-13-01 00:00:00+00',
    '2026-01-01 25:00:00+00',
    '2026-01-01 00:00:00+23',
    '2026-01-01 00:00:00.1234567+00',
    '99999-01-01 00:00:00+00',
    'infinity',
  ].map((moment) => cursorOf([moment, someId])),
]
