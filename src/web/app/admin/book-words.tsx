// A part of a screen in the words and the locale of the book: what buyers see, and what is printed for them.
import { Children, cloneElement, createElement, isValidElement, type ReactNode } from 'react'
import { directionOf } from '#contract/direction.ts'
import { inBookWording } from '../../page/page-texts.tsx'
import { useBookFacts } from '../../shop.ts'

export function BookWords({ children }: { children: ReactNode }) {
  const { language } = useBookFacts()
  return (
    <div lang={language} dir={directionOf(language)} className="contents">
      {inBookWords(children)}
    </div>
  )
}

/**
 * React calls a component after its parent is done, so each one below sets the wording for itself. It reaches function
 * components that are rendered as children, not those in other props.
 */
function inBookWords(children: ReactNode): ReactNode {
  return Children.map(children, (child) => {
    if (!isValidElement<{ children?: ReactNode }>(child)) return child
    const { type, props, key } = child
    if (isComponent(type)) return createElement(wordedOf(type), { ...props, key })
    return props.children === undefined ? child : cloneElement(child, {}, inBookWords(props.children))
  })
}

type Component = (props: object) => ReactNode

const isComponent = (type: unknown): type is Component => typeof type === 'function'

/** React keeps the state of a component only while its type stays the same. */
const worded = new WeakMap<Component, Component>()

function wordedOf(component: Component): Component {
  const known = worded.get(component)
  if (known) return known
  const created: Component = (props) => inBookWording(() => inBookWords(component(props)))
  worded.set(component, created)
  return created
}
