// Translations: which keys each has and needs, what its texts may say, and which texts a book has.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { catalogue, placeholdersOf, replacementProblem, standardOf } from '../catalogue.ts'
import { homeTexts } from '../home.ts'
import { forCount, pluralForms, standardWording } from '../texts.ts'
import { loadWording, withTexts } from '../wording.ts'
import { loadTranslation, localeOf, readyLanguages } from './languages.ts'

const folder = import.meta.dirname
const languages = globSync('*.json', { cwd: folder }).map((name) => name.replace('.json', ''))

const readTranslation = (language: string) => readFileSync(join(folder, `${language}.json`), 'utf8')

test('each translation has the keys of the catalogue, and its texts say what the standard ones say', () => {
  const problems = languages.flatMap((language) => problemsOf(language, readTranslation(language)))
  expect(problems).toEqual([])
})

test('the shop loads each translation by its file’s name', async () => {
  for (const language of languages) {
    const loaded = await loadTranslation(language)
    expect(isDeepStrictEqual(loaded, JSON.parse(readTranslation(language))), language).toBe(true)
  }
  expect(languages).toEqual(expect.arrayContaining(['de', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt']))
  expect(readyLanguages.toSorted()).toEqual(['en', ...languages].toSorted())
})

const buy = /"home.buy".*\n/
const note = /"accountEmails.link.signup.notes.1".*\n/
const few = /"home.moreChapters.few".*\n/

test.each<[change: string, from: RegExp, to: string, problem: string]>([
  ['a missing key', buy, '', 'home.buy is missing'],
  ['an unknown key', buy, '$&"home.bui": "Kup",', 'home.bui is not known'],
  ['a key that is there twice', buy, '$&$&', 'home.buy is there twice'],
  ['another order', /("home.order".*\n)(.*\n)/, '$2$1', 'home.previewChapter is where home.order should be'],
  ['one text too few in a list', note, '', 'accountEmails.link.signup.notes.1 is missing'],
  [
    'one text too many in a list',
    note,
    '$&"accountEmails.link.signup.notes.2": "Kup",',
    'accountEmails.link.signup.notes.2 is not known',
  ],
  ['a missing plural form', few, '', 'home.moreChapters.few is missing'],
  [
    'a form that the language has not',
    few,
    '$&"home.moreChapters.two": "{count}",',
    'home.moreChapters.two is not known',
  ],
  [
    'a form of several numbers without the number',
    few,
    '"home.moreChapters.few": "kilka",',
    'home.moreChapters.few: {count} is missing',
  ],
  ['a wrong placeholder', /("home.rating".*)\{stars\}/, '$1{star}', 'home.rating: {star} is not known'],
  ['an object in place of a text', buy, '"home.buy": { "one": "Kup" },', 'home.buy is not a text'],
  ['an empty text', buy, '"home.buy": " ",', 'home.buy is empty'],
  ['a space at the end', buy, '"home.buy": "Kup ",', 'home.buy begins or ends with a space'],
  ['markup', buy, '"home.buy": "<b>Kup</b>",', 'home.buy has markup'],
  ['a character reference', buy, '"home.buy": "Kup&nbsp;to",', 'home.buy has markup'],
  ['a line break', buy, String.raw`"home.buy": "Kup\nto",`, 'home.buy: This must be one line'],
  [
    'a text that is too long',
    buy,
    `"home.buy": "${'Kup'.repeat(41)}",`,
    'home.buy: This must be at most 120',
  ],
])('%s is a problem', (_, from, to, problem) => {
  const source = readTranslation('pl').replace(from, to)
  expect(problemsOf('pl', source)).toContainEqual(expect.stringContaining(`pl.json: ${problem}`))
})

test('a book has the texts of its language, and the author’s where they are changed', async () => {
  expect(await loadTranslation('xx')).toEqual({})
  expect(await loadTranslation('')).toEqual({})
  expect(await loadWording({ language: 'en', texts: {} })).toEqual(standardWording)
  const texts = { 'home.moreChapters.few': 'jeszcze {count} rozdziały' }
  withTexts({ ...standardWording, locale: 'pl', texts }, () => {
    expect([3, 5].map((count) => forCount(homeTexts.moreChapters, count))).toEqual([
      texts['home.moreChapters.few'],
      'and {count} more',
    ])
  })
})

test.each([
  ['en', 'en-US'],
  ['en-GB', 'en-GB'],
  ['DE-at', 'de-AT'],
  ['pl', 'pl'],
  ['fr-CA', 'fr-CA'],
  ['es-419', 'es-419'],
  ['sv', 'en-US'],
  ['sv-FI', 'en-FI'],
  ['zh-Hant-TW', 'en-TW'],
  ['ar-001', 'en-001'],
  ['', 'en-US'],
  ['de-1901', 'de'],
  ['de-', 'de'],
])('dates and prices of a book in %j are those of %s', (tag, locale) => {
  expect(localeOf(tag)).toBe(locale)
  expect(() => new Intl.NumberFormat(locale)).not.toThrow()
})

function problemsOf(language: string, source: string): string[] {
  const entries = readEntries(source)
  const keys = entries.map(([key]) => key)
  const textProblems = entries.flatMap(([key, text]) => findTextProblem(language, key, text) ?? [])
  return [...findKeyProblems(language, keys), ...textProblems].map((each) => `${language}.json: ${each}`)
}

/** By a parser of JavaScript: JSON.parse would hide a key that is there twice. */
function readEntries(source: string): [key: string, text: unknown][] {
  const entries: [string, unknown][] = []
  new Visitor({
    Property({ key, value }) {
      if (key.type === 'Literal') entries.push([String(key.value), value.type === 'Literal' && value.value])
    },
  }).visit(parseSync('translation.js', `(${source})`).program)
  return entries
}

function findKeyProblems(language: string, keys: string[]): string[] {
  const found = new Set(keys)
  const needed = neededKeys(language, found)
  const inOrder = [...needed].filter((key) => found.has(key))
  const known = [...found].filter((key) => needed.has(key))
  const moved = known.findIndex((key, at) => key !== inOrder[at])
  return [
    ...[...needed].filter((key) => !found.has(key)).map((key) => `${key} is missing`),
    ...[...found].filter((key) => !needed.has(key)).map((key) => `${key} is not known`),
    ...keys.filter((key, at) => keys.indexOf(key) < at).map((key) => `${key} is there twice`),
    ...(moved < 0 ? [] : [`${known[moved]} is where ${inOrder[moved]} should be`]),
  ]
}

/** In the order of the catalogue. Where English has one form of a plural, so may the translation. */
function neededKeys(language: string, found: ReadonlySet<string>): Set<string> {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  const forms = pluralForms.filter((form) => pluralCategories.includes(form))
  const needed = [...catalogue.keys()].flatMap((key) => {
    const plural = pluralOf(key)
    if (plural === undefined) return key
    const hasForms = pluralForms.some(
      (form) => form !== 'other' && [catalogue, found].some((keys) => keys.has(`${plural}.${form}`)),
    )
    return hasForms ? forms.map((form) => `${plural}.${form}`) : `${plural}.other`
  })
  return new Set(needed)
}

function findTextProblem(language: string, key: string, text: unknown): string | undefined {
  const standard = standardOf(key)
  if (standard === undefined) return undefined
  if (typeof text !== 'string') return `${key} is not a text`
  if (text.trim() === '') return `${key} is empty`
  // A list has the separators of its language.
  if (text !== text.trim() && !/^\s|\s$/.test(standard)) return `${key} begins or ends with a space`
  if (/[<>]|&#?\w+;/.test(text)) return `${key} has markup`
  const problem = replacementProblem(text, standard, neededPlaceholders(language, key, text))
  return problem && `${key}: ${problem}`
}

/** Where English does not have the form, a form for exactly one number may have it in words. */
function neededPlaceholders(language: string, key: string, text: string): string[] {
  const plural = pluralOf(key)
  const standard = placeholdersOf(standardOf(key) ?? '')
  if (plural === undefined) return standard
  const all = placeholdersOf(catalogue.get(`${plural}.other`) ?? '')
  const rules = new Intl.PluralRules(language)
  const forms = Array.from({ length: 200 }, (_, number) => `${plural}.${rules.select(number)}`)
  if (forms.filter((form) => form === key).length !== 1) return all
  return catalogue.has(key) ? standard : all.filter((name) => text.includes(`{${name}}`))
}

/** As `home.moreChapters`, of the key of one of its forms. */
function pluralOf(key: string): string | undefined {
  const [, plural, form] = /^(.*)\.(\w+)$/.exec(key) ?? []
  const isForm = pluralForms.some((each) => each === form)
  return isForm && catalogue.has(`${plural}.other`) ? plural : undefined
}
