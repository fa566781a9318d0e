import { expect, test } from 'vitest'
import { fileFormats } from '#contract/catalog/products.ts'
import { readingAdvice } from './how-to-read.tsx'

test('every format has its way onto a phone, a tablet and a Kindle', () => {
  for (const format of fileFormats) {
    const devices = readingAdvice([format])
      .map(({ device }) => device)
      .join(', ')
    for (const device of [/phone/i, /tablet|iPad/, /Kindle/]) expect(devices, format).toMatch(device)
  }
  expect(readingAdvice([])).toEqual([])
})

test('Send to Kindle is advised for what it accepts, and for nothing else', () => {
  const kindle = (format: (typeof fileFormats)[number]) =>
    readingAdvice([format]).find(({ device }) => device === 'Kindle')
  expect(kindle('epub')?.link?.href).toBe('https://www.amazon.com/sendtokindle')
  expect(kindle('pdf')?.link?.href).toBe('https://www.amazon.com/sendtokindle')
  expect(kindle('mobi')?.link).toBeUndefined()
})

test('of several formats the one that adapts to the screen is advised', () => {
  expect(readingAdvice(['pdf', 'epub'])).toEqual(readingAdvice(['epub']))
})
