import { expect, test } from 'vitest'
import { joinTag, splitTag } from './title-part.tsx'

test.each([
  ['en', 'en', ''],
  ['de-AT', 'de', 'AT'],
  ['pt-br', 'pt', 'BR'],
  ['zh-Hant-TW', 'zh-Hant', 'TW'],
  ['es-419', 'es', '419'],
  ['de-AT-1901', 'de-1901', 'AT'],
  ['i-klingon', 'i-klingon', ''],
  ['not a tag', 'not a tag', ''],
  ['', '', ''],
])('the tag %j is the language %j and the region %j', (tag, language, region) => {
  expect(splitTag(tag)).toEqual({ language, region })
  expect(joinTag({ language, region }).toLowerCase()).toBe(tag.toLowerCase())
})

test('another region leaves the rest of a tag as it was', () => {
  expect(joinTag({ ...splitTag('zh-Hant-TW'), region: 'HK' })).toBe('zh-Hant-HK')
  expect(joinTag({ ...splitTag('de-AT'), region: '' })).toBe('de')
})
