// Finds texts that React cannot change in a page that a browser translates: the browser moves each text into elements of its own. React fails
// where it then puts an element before such a text, or takes the text away, and a text that is all that a component shows changes unseen. Each
// of them needs an element, whose only text React replaces as a whole.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync, Visitor, type Expression, type JSXChild, type Statement } from 'oxc-parser'
import { root } from './run.ts'

function isElement({ type }: Expression): boolean {
  return type === 'JSXElement' || type === 'JSXFragment'
}

/** An element that is there under a condition. */
function comesAndGoes(child: JSXChild): boolean {
  if (child.type !== 'JSXExpressionContainer') return false
  const { expression } = child
  if (expression.type === 'LogicalExpression') return isElement(expression.right)
  return (
    expression.type === 'ConditionalExpression' &&
    [expression.consequent, expression.alternate].some(isElement)
  )
}

/** What can be told from the syntax: written out, from the catalogue of texts, or filled in. */
function isText(expression: Expression, source: string): boolean {
  if (expression.type === 'ConditionalExpression')
    return [expression.consequent, expression.alternate].some((each) => isText(each, source))
  if (expression.type === 'Literal')
    return typeof expression.value === 'string' && expression.value.trim() !== ''
  const text = source.slice(expression.start, expression.end)
  return expression.type === 'TemplateLiteral' || /^(\w*[tT]exts\.[\w.]+$|fill\(|format[A-Z]\w*\()/.test(text)
}

function isBareText(child: JSXChild, source: string): boolean {
  if (child.type === 'JSXText') return child.value.trim() !== ''
  if (child.type !== 'JSXExpressionContainer' || child.expression.type === 'JSXEmptyExpression') return false
  return isText(child.expression, source)
}

/** A text under a condition beside others, or where another time an element stands. */
function isPassingText(child: JSXChild, source: string, isAlone: boolean): boolean {
  if (child.type !== 'JSXExpressionContainer') return false
  const { expression } = child
  if (expression.type === 'LogicalExpression')
    return expression.operator === '&&' && !isAlone && isText(expression.right, source)
  if (expression.type !== 'ConditionalExpression') return false
  const branches = [expression.consequent, expression.alternate]
  return branches.some(isElement) && branches.some((each) => isText(each, source))
}

/** The lines of the elements that hold such a text, and of the components that are one. */
export function findBareTexts(name: string, source: string): number[] {
  const lines: number[] = []
  const check = ({ start, children }: { start: number; children: JSXChild[] }) => {
    const first = children.findIndex(comesAndGoes)
    const isAlone = children.filter(({ type }) => type !== 'JSXText').length === 1
    const hasPassing = children.some((child) => isPassingText(child, source, isAlone))
    const isFollowed = children.slice(first + 1).some((child) => isBareText(child, source))
    if (hasPassing || (first >= 0 && isFollowed)) lines.push(source.slice(0, start + 1).split('\n').length)
  }
  const ofComponent = (statements: Statement[]) => {
    for (const statement of statements) {
      if (statement.type === 'IfStatement')
        ofComponent([statement.consequent, ...(statement.alternate ? [statement.alternate] : [])])
      else if (statement.type === 'BlockStatement') ofComponent(statement.body)
      else if (
        statement.type === 'ReturnStatement' &&
        statement.argument &&
        isText(statement.argument, source)
      )
        lines.push(source.slice(0, statement.start + 1).split('\n').length)
    }
  }
  new Visitor({
    JSXElement(node) {
      // It gives each text an element (components/button.tsx).
      const { name: tag } = node.openingElement
      if (tag.type !== 'JSXIdentifier' || !/^(Button|ButtonLink)$/.test(tag.name)) check(node)
    },
    JSXFragment: check,
    FunctionDeclaration({ id, body }) {
      if (/^[A-Z]/.test(id?.name ?? '')) ofComponent(body?.body ?? [])
    },
  }).visit(parseSync(name, source, { preserveParens: false }).program)
  return lines
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = globSync('src/web/**/*.tsx', { cwd: root }).flatMap((name) =>
    findBareTexts(name, readFileSync(join(root, name), 'utf8')).map((line) => `${name}:${line}`),
  )
  for (const place of found)
    console.error(`${place} has a text that needs an element, for browsers that translate the page`)
  if (found.length > 0) process.exitCode = 1
}
