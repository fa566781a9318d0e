// Texts by page and purpose. Reading one gives the author's words where they have changed it (docs/architecture.md).

export type TextTree = { readonly [name: string]: string | readonly string[] | TextTree }

/** By key, as `home.messageSent.title`. */
export type Texts = Readonly<Record<string, string>>

/** Of the page or email that is made. The admin area has the standard texts. */
export type ChangedTexts = { texts: Texts; isAdmin: boolean }

let readChanged = (): ChangedTexts => ({ texts: {}, isAdmin: false })

/** On the server with-texts.ts, in the browser entry.client.tsx. */
export function readTextsFrom(source: () => ChangedTexts): void {
  readChanged = source
}

/** What a page needs in the browser. */
export function textsToCarry(): Texts {
  return readChanged().texts
}

const standards = new WeakMap<object, Texts>()

/** Texts that are read while a module loads stay the standard ones: a test forbids it. */
export function defineTexts<const Tree extends TextTree>(page: string, tree: Tree): Tree {
  const standard: Record<string, string> = {}
  const live = makeLive(tree, page, standard)
  standards.set(live, standard)
  return live as Tree
}

export function standardTexts(tree: TextTree): Texts {
  return standards.get(tree) ?? {}
}

function makeLive(tree: TextTree | readonly string[], path: string, standard: Record<string, string>) {
  const live = Array.isArray(tree) ? [] : {}
  for (const [name, value] of Object.entries<string | readonly string[] | TextTree>(tree)) {
    const key = `${path}.${name}`
    if (typeof value === 'string') {
      standard[key] = value
      Object.defineProperty(live, name, { get: () => textOf(key, value), enumerable: true })
    } else {
      Object.defineProperty(live, name, { value: makeLive(value, key, standard), enumerable: true })
    }
  }
  return live
}

function textOf(key: string, standard: string): string {
  const { texts, isAdmin } = readChanged()
  return isAdmin ? standard : (texts[key] ?? standard)
}
