// What the schema of a form says of its fields, and what is shown of that.
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { email, line, optionalLine, password } from '#contract/fields.ts'
import { discountForm } from './admin/discounts/discounts.tsx'
import { parseForm } from './parse-form.ts'
import { Fields, type Descriptions } from './schema-fields.tsx'

const schema = z.object({
  name: line(20),
  note: optionalLine(20),
  text: line(500),
  email: email.optional(),
  password,
  count: z.int().min(1).max(9),
  left: z.int().nullable(),
  ends_on: z.iso.date().optional(),
  kind: z.enum(['one', 'two']),
  is_shown: z.boolean(),
  codes: z.object({ paper: z.string().min(1) }),
})

const fields: Descriptions = {
  name: { label: 'Name', hint: 'Yours' },
  note: { label: 'Note' },
  text: { label: 'Text', rows: 3 },
  email: { label: 'Email' },
  password: { label: 'Password' },
  count: { label: 'Count' },
  left: { label: 'Left' },
  ends_on: { label: 'Last day' },
  kind: { label: 'Kind', options: ['one', 'two'] },
  is_shown: { label: 'Shown' },
  'codes.paper': { label: 'Paper' },
}

function render(form: Partial<Parameters<typeof Fields>[0]['form']> = {}, only = Object.keys(schema.shape)) {
  return renderToString(createElement(Fields, { paths: only, fields, form: { schema, ...form } }))
}

const input = (name: string, html = render()) =>
  html.match(new RegExp(`<(?:input|textarea|select)[^>]* name="${name}"[^>]*>`))?.[0] ?? ''

test('a field has the type of its schema', () => {
  expect(input('name')).toContain('type="text"')
  expect(input('text')).toMatch(/^<textarea/)
  expect(input('email')).toContain('type="email"')
  expect(input('password')).toContain('type="password"')
  expect(input('count')).toMatch(/type="number".* min="1" max="9"/)
  expect(input('ends_on')).toContain('type="date"')
  expect(input('kind')).toMatch(/^<select/)
  expect(input('is_shown')).toContain('type="checkbox"')
})

test('what may be empty is not required', () => {
  const names = [...Object.keys(schema.shape), 'codes.paper']
  const required = names.filter((name) => /\srequired/.test(input(name)))
  expect(required).toEqual(['name', 'text', 'password', 'count', 'codes.paper'])
})

test('a field begins with its value, and says what is wrong with it', () => {
  const html = render({ values: { name: 'Nine', is_shown: true }, problems: { note: 'Too long.' } })
  expect(input('name', html)).toContain('value="Nine"')
  expect(input('is_shown', html)).toContain('checked')
  expect(input('note', html)).toContain('aria-invalid="true"')
  expect(html).toContain('Too long.')
})

test('what is fixed elsewhere is shown, says why, and cannot be changed', () => {
  const html = render({ fixed: (path) => (path === 'count' ? undefined : `${path} is set elsewhere.`) })
  expect(input('name', html)).toContain('readOnly')
  expect(input('kind', html)).toContain('disabled')
  expect(input('is_shown', html)).toContain('disabled')
  expect(input('count', html)).not.toContain('readOnly')
  expect(html).toContain('name is set elsewhere.')
  expect(html).not.toContain('Yours')
})

test('a discount code requires the kind of discount that is chosen', () => {
  const form = new FormData()
  form.set('code', 'SPRING')
  form.set('kind', 'percent')
  form.set('percent', '')
  expect(parseForm(discountForm('percent'), form).problems).toEqual({ percent: 'Please enter a number.' })
})
