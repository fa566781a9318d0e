import { expect, test } from 'vitest'
import { z } from 'zod'
import { email, line, optionalLine, wholeCents } from '#contract/fields.ts'
import { parseForm } from './parse-form.ts'

const schema = z.strictObject({
  name: line(20),
  note: optionalLine(20),
  email: email.optional(),
  price: wholeCents,
  count: z.int('Please enter a number.').optional(),
  ends_on: z.string().nullable(),
  is_shown: z.boolean(),
  tags: z.array(z.string()),
  codes: z.object({ paper: z.string() }),
})

function formOf(...fields: [name: string, value: string][]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

test('each field has the type that the schema takes', () => {
  const form = formOf(
    ['name', ' Nine '],
    ['note', 'new'],
    ['email', 'A@Example.com'],
    ['price', '7.50'],
    ['count', '3'],
    ['ends_on', '2026-12-31'],
    ['is_shown', 'on'],
    ['tags', 'one'],
    ['tags', 'two'],
    ['codes.paper', 'p'],
    ['another', 'not of this schema'],
  )
  expect(parseForm(schema, form)).toEqual({
    values: {
      name: 'Nine',
      note: 'new',
      email: 'a@example.com',
      price: 7.5,
      count: 3,
      ends_on: '2026-12-31',
      is_shown: true,
      tags: ['one', 'two'],
      codes: { paper: 'p' },
    },
  })
})

test('an empty field is left out where it may be, and otherwise a problem', () => {
  const empty = ['name', 'note', 'email', 'price', 'count', 'ends_on', 'codes.paper'] as const
  const { values } = parseForm(
    schema.omit({ name: true, price: true }),
    formOf(...empty.map((name): [string, string] => [name, ''])),
  )
  expect(values).toEqual({
    note: '',
    email: undefined,
    count: undefined,
    ends_on: null,
    is_shown: false,
    tags: [],
    codes: { paper: '' },
  })
  const { problems } = parseForm(
    schema.pick({ name: true, price: true }),
    formOf(['name', ' '], ['price', '']),
  )
  expect(problems?.['name']).toBe('Please fill in this field.')
  expect(problems?.['price']).toBeDefined()
})

test('what is no number is a problem at its field, also inside an object', () => {
  const nested = z.object({ sizes: z.object({ height: z.number('Please enter a number.') }) })
  expect(parseForm(nested, formOf(['sizes.height', 'tall']))).toEqual({
    problems: { 'sizes.height': 'Please enter a number.' },
  })
})
