// Which addresses and lines are accepted, and the form in which they are stored and compared.
import { expect, test } from 'vitest'
import { fieldsTexts } from '#words/fields.ts'
import { email, line, optionalLine, password, text, typedCode } from './fields.ts'
import { passwordProblem, typedAddressProblem } from './field-rules.ts'
import { plainCode } from './comparable-text.ts'

test('an address is stored in one form, however it is typed', () => {
  const cases = {
    'ruth@example.com': [
      'Ruth@Example.COM',
      ' ruth@example.com. ',
      'ruth＠example。com',
      'ｒｕｔｈ@example．com',
    ],
    'user@xn--80a1acny.xn--p1ai': [
      'user@почта.рф',
      'USER@ПОЧТА.РФ',
      'user@XN--80A1ACNY.xn--p1ai',
      'user@почта.рф.',
    ],
    'a@xn--fiq228c.xn--fiqs8s': ['a@中文.中国', 'a@中文。中国', 'a@中文｡中国。'],
    'buch@xn--bcher-kva.example': ['buch@bücher.example', 'buch@bu\u0308cher.example', 'Buch@BÜCHER.example'],
    "o'neil&co/x!=y@example.com": ["O'Neil&Co/x!=y@example.com"],
    '=1+1|{~}^`?*#$%@example.com': ['=1+1|{~}^`?*#$%@example.com'],
    'ann@example.com': [
      '\u202aann@example.com\u202c',
      'ann@\u200bexa\u00admple.com',
      '\ufeffann\u2060@example.com\u200f',
    ],
    'a@b-1.co': ['a@b-1.co'],
    [`${'m'.repeat(64)}@example.com`]: [`${'m'.repeat(64)}@example.com`],
  }
  for (const [stored, typed] of Object.entries(cases))
    for (const each of [stored, ...typed]) expect([each, email.safeParse(each).data]).toEqual([each, stored])
})

test('what is no address is refused, and each reason has its words', () => {
  const bad = [
    '',
    'ruth',
    'ruth@',
    '@example.com',
    'ruth@example',
    'ruth@@example.com',
    'a@b@example.com',
    '.ruth@example.com',
    'ruth.@example.com',
    'ru..th@example.com',
    '"ruth moab"@example.com',
    'ruth(moab)@example.com',
    'ruth,ann@example.com',
    'ruth@exa mple.com',
    'ruth@example.com\nBcc: all@example.com',
    'ruth\0@example.com',
    'ruth@127.0.0.1',
    'ruth@0x7f.1',
    'ruth@[127.0.0.1]',
    'ruth@[::1]',
    'ruth@example.com:25',
    'ruth@example.com/x',
    'ruth@example.com?x',
    'ruth@example.com#x',
    'ruth@ex%61mple.com',
    'ruth@example.com\\x',
    'ruth@exa_mple.com',
    'ruth@-example.com',
    'ruth@example-.com',
    'ruth@example..com',
    'ruth@.example.com',
    'ruth@example.com..',
    'ruth@example.c',
    'ruth@example.123',
    `ruth@${'a'.repeat(64)}.com`,
    '<ruth@example.com>',
    'Ruth <ruth@example.com>',
  ]
  const reason = (value: string) => {
    const reasons = email.safeParse(value).error?.issues.map(({ message }) => message)
    // The sign-in checks without the schema.
    expect([value, [typedAddressProblem(value)]]).toEqual([value, reasons])
    return reasons
  }
  for (const each of bad) expect([each, reason(each)]).toEqual([each, [fieldsTexts.email]])
  for (const each of ['jörg@example.com', '用户@例え.jp', 'a\u200db@example.com'])
    expect([each, reason(each)]).toEqual([each, [fieldsTexts.foreignAddress]])
  for (const each of [`m@${'a.'.repeat(127)}com`, 'm'.repeat(100_000)])
    expect(reason(each)).toEqual([fieldsTexts.addressTooLong])
})

test('invisible letters that were pasted are left out of a line, and those that build letters stay', () => {
  const marks =
    '\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\u00ad\u061c\u180e\ufeff\u3164'
  for (const mark of marks) {
    expect(line(20).parse(`${mark}+49 ${mark}30${mark}`)).toBe('+49 30')
    expect(line(6).parse(`12345${mark.repeat(50)}6`)).toBe('123456')
    expect(line(20).safeParse(mark.repeat(3)).error?.issues[0]?.message).toBe(fieldsTexts.required)
    expect(optionalLine(20).parse(mark)).toBe('')
  }
  for (const whole of ['می\u200cخواهم', 'क्\u200dष', '👩\u200d👩\u200d👧', '❤\ufe0f', '葛\u{e0100}', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'])
    expect(line(20).parse(whole)).toBe(whole)
  for (const empty of ['\u200d', '\u200c \u200d', '\ufe0f'])
    expect(line(20).safeParse(empty).success).toBe(false)
  expect(line(20).parse('e\u200b\u0301')).toBe('é')
})

test('what would forge a header or break a line is refused, and so is a pile of marks', () => {
  for (const bad of [
    'a\nb',
    'a\r\nb',
    'a\0b',
    'a\u2028b',
    'a\u2029b',
    'a\tb',
    'a\u0085b',
    'a\u001bb',
    'a\ud800',
  ])
    expect([bad, line(20).safeParse(bad).error?.issues[0]?.message]).toEqual([bad, fieldsTexts.unprintable])
  const pile = `${'\u0301'.repeat(30)}\u200b`.repeat(3000)
  expect(line(100_000).safeParse(`e${pile}`).success).toBe(false)
})

test('a text keeps its lines, and loses overrides of direction', () => {
  expect(text(50).parse('a\r\n\tb\u00adc \u202e+49\u202c')).toBe('a\n\tb\u00adc +49')
  expect(text(50).safeParse('a\0').success).toBe(false)
})

test('a code is the same in all forms in which it is typed or pasted', () => {
  for (const each of [
    'ABC-12',
    ' ABC‑12\u200b',
    'ＡＢＣ－１２',
    ' ABC 12'.replace(' 12', '–12'),
    '\u202aABC-12\u202c',
  ])
    expect([plainCode(each), typedCode.parse(each)]).toEqual(['ABC-12', 'ABC12'])
})

test('a code has the digits of every script, and of a typed one spaces and hyphens only make groups', () => {
  for (const each of [
    '123-456',
    '123 456',
    '١٢٣٤٥٦',
    '۱۲۳-۴۵۶',
    '१२३४५६',
    '１２３４５６',
    '𑛑𑛒𑛓𑛔𑛕𑛖',
    '𝟙𝟚𝟛𝟜𝟝𝟞',
  ])
    expect([each, typedCode.parse(each)]).toEqual([each, '123456'])
  expect(plainCode('SAVE-٢٠')).toBe('SAVE-20')
})

test('every decimal digit of Unicode becomes the ASCII digit of its value', () => {
  const digits = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code)).filter((sign) =>
    /\p{Nd}/u.test(sign),
  )
  expect(digits.length).toBeGreaterThanOrEqual(770)
  expect(digits.map(plainCode).join('')).toBe('0123456789'.repeat(digits.length / 10))
})

test('a password of letters that are left out is too short', () => {
  expect(password.safeParse('\u200b'.repeat(40)).error?.issues[0]?.code).toBe('too_small')
  expect(password.parse('Ｐａｓｓ\u2060wort-mit-e\u0301')).toBe('Passwort-mit-é')
})

test('the sign-up refuses the passwords that the schema refuses, in the same words', () => {
  const bad = ['', 'five5', '\u200b'.repeat(40), 'p'.repeat(201), 'pass\ud800word']
  for (const each of bad)
    expect([each, passwordProblem(each)]).toEqual([each, password.safeParse(each).error?.issues[0]?.message])
  for (const each of ['sixsix', 'p'.repeat(200), 'パスワード達'])
    expect([each, passwordProblem(each), password.safeParse(each).success]).toEqual([each, undefined, true])
})
