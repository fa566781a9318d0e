// A part of a page that becomes alive when it is first used. It is a React root of its own, on the server too: `useId` counts
// from the root, and labels would point to nothing otherwise.
import { createContext, createElement, use, type ComponentType, type ReactNode } from 'react'

/** The name of its file without `.island.tsx`. */
type IslandName =
  | 'account'
  | 'auth'
  | 'bars'
  | 'buy'
  | 'contact'
  | 'excerpt'
  | 'find-purchase'
  | 'gift'
  | 'kept-code'
  | 'letters'
  | 'mail-choices'
  | 'offers'
  | 'purchase'
  | 'purchase-moved'
  | 'tell-me'
  | 'toasts'
  | 'withdraw'

type IslandProps<Props extends object> = {
  name: IslandName
  /** One of `parts` in the island's file. */
  part: string
  Part: ComponentType<Props>
  /** The condition that wakes it without a press (loader.ts). */
  wakes?: string
  /** Its forms are never posted as they are. */
  needsScripts?: boolean
} & (object extends Props ? { props?: Props } : { props: Props })

type RenderIsland = (name: IslandName, content: ReactNode) => { html: string; prefix: string; files: string }

/** Set by render.tsx alone. */
export const IslandRenderer = createContext<RenderIsland | undefined>(undefined)

export function Island<Props extends object>(island: IslandProps<Props>) {
  const { name, part, Part, wakes, needsScripts, props } = island
  const render = use(IslandRenderer)
  if (!render) throw new Error('An island stands outside of the site.')
  const { html, prefix, files } = render(name, createElement(Part, props))
  return (
    <div
      className="contents"
      data-island={name}
      data-part={part}
      data-props={props && JSON.stringify(props)}
      data-prefix={prefix}
      data-files={files}
      data-wakes={wakes}
      data-needs-scripts={needsScripts ? '' : undefined}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}

/** Loads plain code, which runs with the page: of the bars it follows the window's scrolling. */
export function PageScript({ name }: { name: 'bars' | 'kept-code' }) {
  const { files } = use(IslandRenderer)?.(name, null) ?? {}
  const [own] = files?.split(' ') ?? []
  return <script type="module" src={own} />
}

/** The place of the notices, empty until there is one. */
export function ToastsPlace() {
  const { files } = use(IslandRenderer)?.('toasts', null) ?? {}
  return (
    <div
      id="toasts"
      className="contents"
      data-island="toasts"
      data-files={files}
      data-wakes="notice ?notice"
    />
  )
}
