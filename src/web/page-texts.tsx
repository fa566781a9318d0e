// The texts that the author has changed come to the browser inside the page.
import { isAdminPath } from '#platform/contract/admin-path.ts'
import { textsToCarry, type ChangedTexts } from '#words/texts.ts'

const id = 'texts'

const stored = () => document.getElementById(id)?.textContent ?? ''

/** As the server has written them: hydration finds what it expects. */
export function PageTexts() {
  const json = import.meta.env.SSR ? toJson(textsToCarry()) : stored()
  if (!json) return null
  return <script id={id} type="application/json" dangerouslySetInnerHTML={{ __html: json }} />
}

/** Text that ends the element, or opens another one, stays text. */
function toJson(texts: object): string {
  return Object.keys(texts).length > 0 ? JSON.stringify(texts).replaceAll('<', String.raw`\u003c`) : ''
}

let texts: ChangedTexts['texts'] | undefined

export function textsOfPage(): ChangedTexts {
  const read: ChangedTexts['texts'] = (texts ??= JSON.parse(stored() || '{}'))
  return { texts: read, isAdmin: isAdminPath(location.pathname) }
}
