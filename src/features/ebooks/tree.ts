import type { Element, Nodes, Root } from 'hast'

export function elementsIn(node: Nodes): Element[] {
  if (!('children' in node)) return []
  return node.children.flatMap((child) => (child.type === 'element' ? [child, ...elementsIn(child)] : []))
}

export function elementsNamed(node: Nodes | undefined, ...names: string[]): Element[] {
  return node ? elementsIn(node).filter(({ tagName }) => names.includes(tagName)) : []
}

export function attribute(element: Element | undefined, name: string): string | undefined {
  const value = element?.properties[name]
  return typeof value === 'string' ? value : undefined
}

/** From EPUB's `epub:type`, and from the roles that HTML has for the same. */
export function typesOf(element: Element): string[] {
  return `${attribute(element, 'epub:type') ?? ''} ${attribute(element, 'role') ?? ''}`
    .toLowerCase()
    .split(/\s+/)
    .map((type) => type.replace(/^doc-/, ''))
    .filter(Boolean)
}

export function textOf(node: Nodes | undefined): string {
  return clean(rawText(node))
}

function rawText(node: Nodes | undefined): string {
  if (node?.type === 'text') return node.value
  if (node?.type === 'element' && node.tagName === 'br') return ' '
  return node && 'children' in node ? node.children.map(rawText).join('') : ''
}

/** Without joiners, which build letters. */
const invisible = /[[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}]--[\u200c\u200d]]/gv

export function clean(text: string): string {
  return text.toWellFormed().replaceAll(/\s+/g, ' ').replaceAll(invisible, '').trim()
}

export function limitTitle(title: string): string {
  return title.slice(0, 300).toWellFormed()
}

export type { Element, Root }
