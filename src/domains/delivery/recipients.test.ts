// Lists of recipients as people type, paste and export them.
import { expect, test } from 'vitest'
import { readRecipients } from './recipients.ts'

test('a list is read from text and CSV, and errors name their line', () => {
  expect(readRecipients('a@example.com\nB@Example.com , Ben\n\nnobody\na@example.com')).toEqual({
    recipients: [
      { line: 1, email: 'a@example.com', name: null },
      { line: 2, email: 'b@example.com', name: 'Ben' },
    ],
    bad_rows: [
      { line: 4, text: 'nobody', reason: 'There is no email address in this row.' },
      { line: 5, text: 'a@example.com', reason: 'This address is in the list already.' },
    ],
  })
  const excel = '\ufeffName;E-Mail;City\r\n"Doe; Jane";jane@example.com;Rome\r\n;x@y;\r\n'
  expect(readRecipients(excel)).toMatchObject({
    recipients: [{ line: 2, email: 'jane@example.com', name: 'Doe; Jane' }],
    bad_rows: [{ line: 3, reason: 'Please enter a valid email address.' }],
  })
  const many = Array.from({ length: 501 }, (_, nth) => `r${nth}@example.com`).join('\n')
  expect(readRecipients(many)).toMatchObject({
    recipients: { length: 500 },
    bad_rows: [{ line: 501, reason: 'Only 500 addresses at once.' }],
  })
  expect(readRecipients('"Ann, a@example.com\nb@example.com').recipients).toMatchObject([
    { line: 1, email: 'a@example.com', name: '"Ann' },
    { line: 2, email: 'b@example.com' },
  ])
  expect(readRecipients('a@example.com, a@example.com, a@example.com').bad_rows).toEqual([
    { line: 1, text: 'a@example.com', reason: 'This address is in the list already.' },
  ])
  expect(readRecipients('ann＠例え。jp\n\u202aann@xn--r8jz45g.jp\u202c')).toMatchObject({
    recipients: [{ email: 'ann@xn--r8jz45g.jp' }],
    bad_rows: [{ line: 2, reason: 'This address is in the list already.' }],
  })
  expect(readRecipients('')).toEqual({ recipients: [], bad_rows: [] })
})

test('several addresses in one line, and names beside addresses, are as many recipients', () => {
  const read = (list: string) => {
    const { recipients, bad_rows } = readRecipients(list)
    return [
      recipients.map(({ email, name }) => [email, name]),
      bad_rows.map(({ text, reason }) => `${text}: ${reason}`),
    ]
  }
  const [anna, ben, carl] = ['anna@example.com', 'ben@example.com', 'carl@example.com']
  expect(read(`${anna}, ${ben}; ${carl},`)).toEqual([
    [
      [anna, null],
      [ben, null],
      [carl, null],
    ],
    [],
  ])
  expect(read(`Anna <${anna}>, "Lee, Ben" <${ben}>; Carl; <${carl}>; x@y`)).toEqual([
    [
      [anna, 'Anna'],
      [ben, 'Lee, Ben'],
      [carl, null],
    ],
    ['Carl: Please enter a valid email address.', 'x@y: Please enter a valid email address.'],
  ])
  expect(read(`Email\n${anna}, ${ben}`)).toEqual([
    [
      [anna, null],
      [ben, null],
    ],
    [],
  ])
  expect(read(`Name,Email\n${ben},${ben}`)).toEqual([[[ben, null]], []])
})

test('the column of email addresses is found beside a postal one, and whatever separates the columns', () => {
  const { recipients, bad_rows } = readRecipients(
    'Name;Address;E-Mail\nAnna;1 High Street, Rome;anna@example.com\n',
  )
  expect(recipients).toEqual([{ line: 2, email: 'anna@example.com', name: 'Anna' }])
  expect(bad_rows).toEqual([])
})
