// Fills the placeholders of a text with elements.
// oxlint-disable react/no-array-index-key -- a text never changes its order
import { Fragment, type ReactNode } from 'react'
import type { Placeholder } from '#words/texts.ts'

/** A text whose placeholders are filled with elements. */
export function fillParts<Text extends string>(
  text: Text,
  parts: { [Name in Placeholder<Text>]: ReactNode },
): ReactNode {
  const all: Record<string, ReactNode> = parts
  return text
    .split(/[{}]/)
    .map((part, index) => <Fragment key={index}>{index % 2 ? all[part] : part}</Fragment>)
}
