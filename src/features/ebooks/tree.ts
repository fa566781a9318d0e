// Finding things in a document's tree.
import type { Element, Nodes, Root } from 'hast'

/** All elements below, in the order of the document. */
export function elementsIn(node: Nodes): Element[] {
  if (!('children' in node)) return []
  return node.children.flatMap((child) => (child.type === 'element' ? [child, ...elementsIn(child)] : []))
}

export function findElement(node: Nodes, isWanted: (element: Element) => boolean): Element | undefined {
  return elementsIn(node).find(isWanted)
}

export function attribute(element: Element | undefined, name: string): string | undefined {
  const value = element?.properties[name]
  return typeof value === 'string' ? value : undefined
}

/** The words of EPUB's `epub:type`, and of the roles that say the same in HTML. */
export function typesOf(element: Element): string[] {
  const said = `${attribute(element, 'epub:type') ?? ''} ${attribute(element, 'role') ?? ''}`
  return said
    .toLowerCase()
    .split(/\s+/)
    .map((type) => type.replace(/^doc-/, ''))
    .filter(Boolean)
}

/** What it reads, white space made single. */
export function textOf(node: Nodes | undefined): string {
  return clean(rawText(node))
}

function rawText(node: Nodes | undefined): string {
  if (node?.type === 'text') return node.value
  if (node?.type === 'element' && node.tagName === 'br') return ' '
  return node && 'children' in node ? node.children.map(rawText).join('') : ''
}

/** What cannot be seen; joiners build letters. */
const invisible = /[[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}]--[\u200c\u200d]]/gv

/** One line, fit to be shown and stored: white space is single, and what cannot be seen is left out. */
export function clean(text: string): string {
  return text.toWellFormed().replaceAll(/\s+/g, ' ').replaceAll(invisible, '').trim()
}

export type { Element, Root }
