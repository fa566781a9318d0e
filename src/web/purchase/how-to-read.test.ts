import { expect, test } from 'vitest'
import { fileFormats } from '#contract/catalog/products.ts'
import { deviceOf, readingAdvice } from './how-to-read.tsx'

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

test('a browser is known as an Apple or Android device, a Kindle or a computer', () => {
  const of = (userAgent: string, maxTouchPoints = 0) => deviceOf({ userAgent, maxTouchPoints })
  expect(of('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')).toBe('apple')
  expect(of('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5)).toBe('apple')
  expect(of('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)')).toBe('computer')
  expect(of('Mozilla/5.0 (Linux; Android 15; Pixel 9)')).toBe('android')
  expect(of('Mozilla/5.0 (Linux; Android 9; KFMAWI) Silk/118')).toBe('kindle')
  expect(of('Mozilla/5.0 (Windows NT 10.0; Win64; x64)')).toBe('computer')
})
