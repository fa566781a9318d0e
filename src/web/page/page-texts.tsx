// Texts that are not the standard ones come to the browser inside the page.
import { isAdminPath } from '#contract/app-paths.ts'
import { standardWording, wordingToCarry, type Wording } from '#words/texts.ts'

const id = 'texts'

const stored = () => document.getElementById(id)?.textContent ?? ''

/** Writes what the server has written: hydration finds what it expects. `names`: of the texts that the page needs, else all. */
export function PageTexts({ names }: { names?: ReadonlySet<string> }) {
  const json = import.meta.env.SSR ? toJson(carriedTexts(names)) : stored()
  if (!json) return null
  return <script id={id} type="application/json" dangerouslySetInnerHTML={{ __html: json }} />
}

function carriedTexts(names: ReadonlySet<string> | undefined): Carried {
  const { locale, texts } = wordingToCarry()
  const isNeeded = (key: string) => !names || names.has(key.slice(0, key.indexOf('.')))
  return { locale, texts: Object.fromEntries(Object.entries(texts).filter(([key]) => isNeeded(key))) }
}

/** Text that ends the element, or opens another one, stays text. */
function toJson(wording: Carried): string {
  return Object.keys(wording.texts).length > 0 || wording.locale !== standardWording.locale
    ? JSON.stringify(wording).replaceAll('<', String.raw`\u003c`)
    : ''
}

type Carried = Pick<Wording, 'locale' | 'texts'>

let carried: Carried | undefined
let isOfBook = false

export function wordingOfPage(): Wording {
  const json = carried ? '' : stored()
  const { locale, texts }: Carried = (carried ??= json ? JSON.parse(json) : standardWording)
  return { locale, texts, isAdmin: !isOfBook && isAdminPath(location.pathname) }
}

/** `work` reads the texts in the book's wording, also in the admin area; what it leaves for later does not. */
export function inBookWording<Result>(work: () => Result): Result {
  const before = isOfBook
  isOfBook = true
  try {
    return work()
  } finally {
    isOfBook = before
  }
}
