// Pages for visitors and readers, and emails, have no English text of their own.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor, type Expression } from 'oxc-parser'
import { expect, test } from 'vitest'
import { fill } from './texts.ts'

const root = join(import.meta.dirname, '..')
// The setup's restore is in English: no book is published yet whose language it had.
const pages = globSync('web/**/*.{ts,tsx}', { cwd: root }).filter(
  (path) =>
    !/^web\/(app\/admin|app\/(file-drop|key-words|send-file|upload-progress|use-upload)\.tsx?|app\/setup\/restore|app\/routes\.ts|generated)|\.test\./.test(
      path,
    ),
)
const emails = globSync('domains/**/{email-layout,*.emails}.ts', { cwd: root })
const textNames =
  /^(title|label|busyLabel|action|description|text|hint|alt|placeholder|aria-label|problem|detail)$/
const isSentence = (text: string) => /^\s?[A-Z][\p{L}’']+[ ,.:!?…]/u.test(text) && !text.startsWith('Bearer ')
/** Errors for developers. */
const allowed = new Set([
  'This is shown outside of the site.',
  'An island stands outside of the site.',
  'An island reads more of the book than the page carries.',
  'The form was posted.',
  'The site has no page ',
  'Whether this is an admin could not be asked:',
])

function textsIn(source: string, path: string, isText = isSentence): string[] {
  const found: string[] = []
  new Visitor({
    JSXText({ value }) {
      if (/\p{L}{2}/u.test(value)) found.push(value.trim())
    },
    JSXAttribute({ name, value }) {
      if (value?.type !== 'Literal' || typeof value.value !== 'string') return
      if (name.type === 'JSXIdentifier' && textNames.test(name.name) && value.value) found.push(value.value)
    },
    Property({ key, value }) {
      if (value.type !== 'Literal' || typeof value.value !== 'string' || key.type !== 'Identifier') return
      if (textNames.test(key.name) && value.value) found.push(value.value)
    },
    Literal({ value }) {
      if (typeof value === 'string' && isText(value)) found.push(value)
    },
    TemplateLiteral({ quasis }) {
      found.push(...quasis.map(({ value }) => value.raw).filter(isText))
    },
  }).visit(parseSync(path, source).program)
  return found.filter((text) => !allowed.has(text))
}

test('public pages and accounts take every text from src/words', () => {
  expect(straysIn(pages)).toEqual([])
})

test('emails take every text from src/words', () => {
  expect(emails).toContain('domains/orders/orders.emails.ts')
  const isStyle = (text: string) => /^[a-z-]+:|serif$/.test(text)
  const isText = (text: string) => /^(?!node:)[A-Z]?[a-z]+[ ,:]|^[A-Z][a-z]/.test(text)
  expect(straysIn(emails, (text) => isText(text) && !isStyle(text))).toEqual([])
})

test('no text is read while a module loads: it would stay as it was then', () => {
  const all = globSync(['web/**/*.{ts,tsx}', 'domains/**/*.ts', 'pages/*.ts'], { cwd: root })
  expect(
    all.flatMap((path) =>
      readsAtLoad(readFileSync(join(root, path), 'utf8'), path).map((line) => [path, line]),
    ),
  ).toEqual([])
  const imported = "import { homeTexts, type X } from '#words/home.ts'"
  expect(readsAtLoad(`${imported}; const { a } = homeTexts; const b = [homeTexts.b]`, 'a.ts')).toHaveLength(2)
  expect(
    readsAtLoad(`${imported}; const f = () => homeTexts.a; type A = typeof homeTexts.a`, 'a.ts'),
  ).toEqual([])
})

test('a text in a page is found', () => {
  const page = "const page = <a title='Home'>Read on</a>; const wrong = 'Please try again.'"
  expect(textsIn(page, 'page.tsx')).toEqual(['Home', 'Read on', 'Please try again.'])
})

/** What is taken of the catalogue outside of functions. */
function readsAtLoad(source: string, path: string): string[] {
  const found: string[] = []
  let depth = 0
  const [enter, leave] = [() => void (depth += 1), () => void (depth -= 1)]
  const isTexts = (node: Expression | null) =>
    depth === 0 && node?.type === 'Identifier' && /^[a-z]\w+Texts$/.test(node.name)
  const textOf = ({ start, end }: { start: number; end: number }) => source.slice(start, end)
  if (!source.includes("'#words/")) return []
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    MemberExpression(node) {
      if (isTexts(node.object)) found.push(textOf(node))
    },
    VariableDeclarator(node) {
      if (node.id.type === 'ObjectPattern' && isTexts(node.init)) found.push(textOf(node))
    },
  }).visit(parseSync(path, source).program)
  return found
}

function straysIn(paths: string[], isText?: (text: string) => boolean): string[] {
  return paths.flatMap((path) =>
    textsIn(readFileSync(join(root, path), 'utf8'), path, isText).map((text) => `${path}: ${text}`),
  )
}

test('each placeholder is filled, every time it stands in the text', () => {
  expect(fill('{name} has {count}: {name}.', { name: 'Ada', count: 2 })).toBe('Ada has 2: Ada.')
  expect(fill('{name}', { name: '{count} $&' })).toBe('{count} $&')
})

test('the compiler refuses a placeholder that is missing, and one that is not in the text', () => {
  // @ts-expect-error -- `name` is missing
  expect(fill('Hello {name}', {})).toBe('Hello undefined')
  // @ts-expect-error -- `other` is not in the text
  expect(fill('Hello {name}', { name: 'Ada', other: 'x' })).toBe('Hello Ada')
})
