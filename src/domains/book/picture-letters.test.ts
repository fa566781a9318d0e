// The letters that pictures of the book may have are in the fonts that they are written with.
import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { makeAssets } from '#tools/assets.ts'
import { isWritten, pictureFonts } from './picture-letters.ts'

beforeAll(makeAssets)

test('no letter passes that the fonts of pictures lack', async () => {
  const fonts = await Promise.all(pictureFonts().map((file) => readFile(file)))
  const drawn = new Set(fonts.flatMap(lettersOf))
  expect(drawn.size).toBeGreaterThan(500)
  const letters = Array.from({ length: 0xfff0 - 0x20 }, (_, at) => String.fromCharCode(0x20 + at))
  const passed = letters.filter((letter) => letter === letter.normalize('NFC') && isWritten([letter]))
  expect(passed.filter((letter) => !drawn.has(letter))).toEqual([])
})

test('small lines have the letters that large ones have', async () => {
  const letters = await Promise.all(
    pictureFonts().map(async (file) => lettersOf(await readFile(file)).join('')),
  )
  expect(letters).toHaveLength(12)
  for (let at = 0; at < letters.length; at += 2) expect(letters[at]).toBe(letters[at + 1])
})

test('titles of the languages in these letters pass, and others do not', () => {
  const passing = [
    'Œuvres — « L’été »',
    'Țară și nădejde',
    'Đường về',
    'Οδύσσεια',
    'Мастер и Маргарита',
    'Қазақ әні',
  ]
  for (const title of passing) expect(isWritten([title]), title).toBe(true)
  // The letter and its accent are two characters.
  expect(isWritten(['E\u0301te\u0301'])).toBe(true)
  for (const title of ['红楼梦', 'ألف ليلة', 'שיר', 'Book 📖', 'a\u0301\u0323\u0330'])
    expect(isWritten([title]), title).toBe(false)
})

/** Reads the table `cmap` in its format 4: rows of the ends of ranges, their starts, differences and places of glyphs. */
function lettersOf(font: Buffer): string[] {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, at) => 12 + at * 16)
  const entry = tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap') ?? 0
  const cmap = font.readUInt32BE(entry + 8)
  const kinds = Array.from(
    { length: font.readUInt16BE(cmap + 2) },
    (_, at) => cmap + font.readUInt32BE(cmap + 8 + at * 8),
  )
  const table = kinds.find((at) => font.readUInt16BE(at) === 4) ?? 0
  const row = font.readUInt16BE(table + 6)
  return Array.from({ length: row / 2 }, (_, at) => at * 2).flatMap((at) => {
    const end = font.readUInt16BE(table + 14 + at)
    const start = font.readUInt16BE(table + 16 + row + at)
    const delta = font.readUInt16BE(table + 16 + row * 2 + at)
    const place = table + 16 + row * 3 + at
    const range = font.readUInt16BE(place)
    const codes = Array.from({ length: end - start + 1 }, (_, nth) => start + nth)
    const glyphOf = (code: number) =>
      range === 0 ? (code + delta) & 0xffff : font.readUInt16BE(place + range + (code - start) * 2)
    return end === 0xffff
      ? []
      : codes.filter((code) => glyphOf(code) > 0).map((code) => String.fromCharCode(code))
  })
}
