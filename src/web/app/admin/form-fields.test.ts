// A field that a form lacks would be left out of each call unnoticed, and one that its schema lacks would be ignored.
import { createElement, type ComponentProps } from 'react'
import { renderToString } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { publishedBook } from '#domains/book/published-book.ts'
import { sampleBook } from '#content/sample-book.ts'
import { ShopContext, type Shop as ShopFacts } from '../../shop.ts'
import { GrantForm, grantForm } from './gifts/gifts.tsx'
import { generatePassword } from './users/users.tsx'

test('the form of a gift has the fields of its schema', () => {
  const Gift = () => createElement(GrantForm, { products: [], onChecked: () => {} })
  expect(namesIn(Gift)).toEqual(namesOf(grantForm))
})

type Screen = NonNullable<Parameters<typeof createRoutesStub>[0][number]['Component']>

const { title, is_sample, cover, drawn_cover, claims, legal, language } = publishedBook(sampleBook).shown

const shop: ShopFacts = {
  siteUrl: 'https://shop.example',
  saleMode: 'sample',
  hasGuestCheckout: false,
  hasWithdrawal: false,
  hasTax: false,
  isTestMode: false,
  sendsMail: false,
  currency: 'usd',
  shipping: { min: 0, max: 0 },
  deliveryDays: null,
  euPaper: null,
  book: { title, is_sample, cover, drawn_cover, claims, legal, language },
}

function namesIn(Component: Screen, data?: object): string[] {
  const Stub = createRoutesStub([
    { id: 'root', path: '/', loader: () => null, children: [{ id: 'screen', index: true, Component }] },
  ])
  const hydrationData: ComponentProps<typeof Stub>['hydrationData'] = {
    loaderData: { root: null, screen: data },
  }
  const page = createElement(Stub, { hydrationData })
  const html = renderToString(createElement(ShopContext, { value: shop }, page))
  return [...new Set(Array.from(html.matchAll(/ name="([^"]+)"/g), ([, name = '']) => name))].toSorted()
}

function namesOf(schema: z.ZodObject, path = ''): string[] {
  return Object.entries(schema.shape)
    .flatMap(([name, field]) => (field instanceof z.ZodObject ? namesOf(field, `${name}.`) : path + name))
    .toSorted()
}

test('a password has twelve of the allowed characters, all of them as likely', () => {
  const counts = new Map<string, number>()
  for (let round = 0; round < 7_000; round += 1) {
    const password = generatePassword()
    expect(password).toMatch(/^[A-Za-z0-9!@#$%^&*]{12}$/)
    for (const character of password) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  expect(counts.size).toBe(70)
  // 1,200 of each on average; a byte's bias without care would give the first ones a third more.
  for (const count of counts.values()) expect(Math.abs(count - 1200)).toBeLessThan(220)
})
